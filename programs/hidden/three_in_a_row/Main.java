/** The first thread hands on to the second, and that to the third, by two locks. */
public class Main {
    static final class A {}

    static final class B {}

    static final A a = new A();
    static final B b = new B();
    static int x;

    static void first() {
        x = 1;
        synchronized (a) {
            Thread.yield();
        }
    }

    static void second() throws InterruptedException {
        Thread.sleep(100);
        synchronized (a) {
            Thread.yield();
        }
        Thread.sleep(50);
        synchronized (b) {
            Thread.yield();
        }
    }

    static void third() throws InterruptedException {
        Thread.sleep(250);
        synchronized (b) {
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
        Thread[] threads = {start(Main::first), start(Main::second), start(Main::third)};
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
