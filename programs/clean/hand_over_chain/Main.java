/** One object goes from thread to thread, each time by another kind of synchronization. */
public class Main {
    private int value;
    private boolean atMonitor;
    private volatile boolean atVolatile;

    void byMonitor() {
        value++;
        synchronized (this) {
            atMonitor = true;
            notifyAll();
        }
    }

    void byVolatile() {
        synchronized (this) {
            while (!atMonitor) {
                try {
                    wait();
                } catch (InterruptedException unexpected) {
                    throw new AssertionError(unexpected);
                }
            }
        }
        value++;
        atVolatile = true;
    }

    void byStart() {
        while (!atVolatile) {
            Thread.onSpinWait();
        }
        value++;
        Thread next = new Thread(() -> value++);
        next.start();
        try {
            next.join();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
        value++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread third = new Thread(main::byStart);
        Thread second = new Thread(main::byVolatile);
        Thread first = new Thread(main::byMonitor);
        third.start();
        second.start();
        first.start();
        third.join();
        System.out.println(main.value);
    }
}
