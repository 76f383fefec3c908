import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The two sides are tasks of a pool, and the second is submitted long before it takes the lock. */
public class Main {
    static final class Lock {}

    static final Lock lock = new Lock();
    static int x;

    static void one() {
        x = 1;
        synchronized (lock) {
            Thread.yield();
        }
    }

    static void two() {
        try {
            Thread.sleep(150);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        synchronized (lock) {
            Thread.yield();
        }
        x = 2;
    }

    static void submit() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.execute(Main::two);
        pool.execute(Main::one);
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
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
        Thread[] threads = {start(Main::submit)};
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
