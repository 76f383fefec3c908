/** The second thread takes the lock long after the first one gave it back. */
public class Main {
    static final class Lock {}

    static final Lock lock = new Lock();
    static int x;

    static void first() {
        x = 1;
        synchronized (lock) {
            Thread.yield();
        }
    }

    static void second() throws InterruptedException {
        Thread.sleep(150);
        synchronized (lock) {
            Thread.yield();
        }
        x = 2;
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
        Thread[] threads = {start(Main::first), start(Main::second)};
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
