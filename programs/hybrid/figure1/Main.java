/** Figure 1 of the hybrid paper: the flag is set before the child starts, the child is forgotten at any time. */
public class Main {
    int globalFlag;
    Thread childThread;

    void execute() throws InterruptedException {
        globalFlag = 1;
        childThread = new Thread(this::child);
        childThread.start();
        // The race is there however long it takes; so it is seen on both sides.
        Thread.sleep(300);
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
    }

    public static void main(String[] arguments) throws InterruptedException {
        new Main().execute();
        System.out.println("executed");
    }
}
