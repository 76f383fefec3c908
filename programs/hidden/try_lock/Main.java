import java.util.concurrent.locks.ReentrantLock;

/** The lock is tried, and always free. */
public class Main {
    static final ReentrantLock lock = new ReentrantLock();
    static int x;

    static void first() {
        x = 1;
        take();
    }

    static void second() throws InterruptedException {
        Thread.sleep(150);
        take();
        x = 2;
    }

    static void take() {
        if (lock.tryLock()) {
            lock.unlock();
        }
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
