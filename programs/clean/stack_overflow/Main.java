/**
 * Stack overflows at any point of watched code, also in synchronized methods and blocks: no lock may seem to be held, or to be
 * free, that is not.
 */
public class Main {
    private final Object lock = new Object();
    private int depth;
    private int overflows;

    synchronized int inMethods() {
        depth++;
        return inMethods() + 1;
    }

    int inBlocks() {
        synchronized (lock) {
            depth++;
            return inBlocks() + 1;
        }
    }

    void work() {
        for (int round = 0; round < 3; round++) {
            try {
                inMethods();
            } catch (StackOverflowError expected) {
                count();
            }
            synchronized (this) {
                try {
                    inBlocks();
                } catch (StackOverflowError expected) {
                    count();
                }
            }
        }
    }

    synchronized void count() {
        overflows++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread[] workers = new Thread[3];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Thread(null, main::work, "worker", 1 << 19);
            workers[i].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(main.overflows);
    }
}
