/**
 * Figure 2 of Cai and Cao 2015, with all work in helper methods: a thread is seldom in the method that takes the
 * lock.
 */
public class Main {
    static final class K {}

    static final class N {}

    static final K k = new K();
    static final N n = new N();
    static int x;
    static int y;

    static void work(int milliseconds) throws InterruptedException {
        pause(milliseconds);
    }

    static void pause(int milliseconds) throws InterruptedException {
        Thread.sleep(milliseconds);
    }

    static void touch(Object lock) {
        synchronized (lock) {
            Thread.yield();
        }
    }

    static void first() throws InterruptedException {
        x = 1;
        touch(k);
        y = 1;
        touch(n);
    }

    static void second() throws InterruptedException {
        work(150);
        touch(n);
        y = 2;
    }

    static void third() throws InterruptedException {
        work(170);
        touch(k);
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
        Thread[] threads = {start(Main::first), start(Main::second), start(Main::third)};
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
