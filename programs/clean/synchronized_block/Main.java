/** One lock, taken by all, also when an exception leaves the block. */
public class Main {
    private final Object lock = new Object();
    private int count;

    void add(boolean fail) {
        synchronized (lock) {
            synchronized (lock) {
                count++;
            }
            if (fail) {
                throw new IllegalStateException();
            }
        }
    }

    void work() {
        for (int i = 0; i < 1000; i++) {
            try {
                add(i % 10 == 0);
            } catch (IllegalStateException expected) {
                continue;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread[] workers = new Thread[3];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Thread(main::work);
            workers[i].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(main.count);
    }
}
