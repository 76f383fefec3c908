/** The lock that hides the race is taken inside others. */
public class Main {
    static final class Outer {}

    static final class Inner {}

    static final class Other {}

    static final Outer outer = new Outer();
    static final Inner inner = new Inner();
    static final Other other = new Other();
    static int x;

    static void first() {
        x = 1;
        synchronized (outer) {
            synchronized (inner) {
                Thread.yield();
            }
        }
    }

    static void second() throws InterruptedException {
        Thread.sleep(150);
        synchronized (other) {
            synchronized (inner) {
                Thread.yield();
            }
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
