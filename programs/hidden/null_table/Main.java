/** The table is there by the time at which it is asked for, unless the lock is taken in the other order. */
public class Main {
    static final class Lock {}

    static final Lock lock = new Lock();
    static int[] table;

    static void fill() {
        table = new int[7];
        synchronized (lock) {
            Thread.yield();
        }
    }

    static void use() throws InterruptedException {
        Thread.sleep(150);
        synchronized (lock) {
            Thread.yield();
        }
        System.out.println("length " + table.length);
    }

    interface Body {
        void run() throws Exception;
    }

    static Thread start(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        thread.start();
        return thread;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = {start(Main::fill), start(Main::use)};
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
