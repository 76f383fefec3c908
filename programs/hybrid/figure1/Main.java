/** Figure 1 of the hybrid paper: the flag is set before the child starts, the child is forgotten at any time. */
public class Main {
    int globalFlag;
    Thread childThread;
    final java.util.concurrent.atomic.AtomicBoolean forgotten = new java.util.concurrent.atomic.AtomicBoolean();
    void execute() throws InterruptedException {
        globalFlag = 1;
        childThread = new Thread(this::child);
        childThread.start();
        // The child is first, so that reports are always the same; and no order.
        while (!forgotten.getOpaque()) Thread.sleep(1);
        synchronized (this) {
            if (childThread != null) {
                childThread.interrupt();
            }
        }
    }

    void child() {
        if (globalFlag == 1) {
            childThread = null;
        }
        forgotten.setOpaque(true);
    }

    public static void main(String[] arguments) throws InterruptedException {
        new Main().execute();
        System.out.println("executed");
    }
}
