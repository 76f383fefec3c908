/** All locks are of type Object: only the fields that hold them say which is which. */
public class Main {
    static final Object one = new Object();
    static final Object two = new Object();
    static final Object three = new Object();
    static int x;

    static void first() {
        x = 1;
        synchronized (one) {
            Thread.yield();
        }
    }

    static void second() throws InterruptedException {
        Thread.sleep(150);
        synchronized (two) {
            Thread.yield();
        }
        synchronized (three) {
            Thread.yield();
        }
        synchronized (one) {
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
