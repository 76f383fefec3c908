import java.util.concurrent.locks.ReentrantLock;

/** The lock is one of java.util.concurrent. */
public class Main {
    static final ReentrantLock lock = new ReentrantLock();
    static int x;

    static void first() {
        x = 1;
        lock.lock();
        try {
            Thread.yield();
        } finally {
            lock.unlock();
        }
    }

    static void second() throws InterruptedException {
        Thread.sleep(150);
        lock.lockInterruptibly();
        try {
            Thread.yield();
        } finally {
            lock.unlock();
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
