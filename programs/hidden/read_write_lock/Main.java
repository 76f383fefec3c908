import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A reader comes after a writer, and would not wait for one that has not come. */
public class Main {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static int x;

    static void write() {
        x = 1;
        lock.writeLock().lock();
        lock.writeLock().unlock();
    }

    static void read() throws InterruptedException {
        Thread.sleep(150);
        lock.readLock().lock();
        lock.readLock().unlock();
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
        Thread[] threads = {start(Main::write), start(Main::read)};
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
