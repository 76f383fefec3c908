/** Two locks are taken in both orders, and by chance never at the same time. */
public class Main {
    static final class Left {}

    static final class Right {}

    static final Left left = new Left();
    static final Right right = new Right();

    static void first() throws InterruptedException {
        synchronized (left) {
            synchronized (right) {
                Thread.yield();
            }
        }
    }

    static void second() throws InterruptedException {
        Thread.sleep(150);
        synchronized (right) {
            synchronized (left) {
                Thread.yield();
            }
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
