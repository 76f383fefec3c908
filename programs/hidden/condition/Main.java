/** Two threads give a permit each, and a third one waits for both. */
public class Main {
    static final class Permits {
        int count;
    }

    static final Permits permits = new Permits();
    static int x;

    static void first() {
        x = 1;
        permit();
    }

    static void second() throws InterruptedException {
        Thread.sleep(150);
        permit();
        x = 2;
    }

    static void permit() {
        synchronized (permits) {
            permits.count++;
            permits.notify();
        }
    }

    static void taker() throws InterruptedException {
        synchronized (permits) {
            while (permits.count < 2) {
                permits.wait();
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
        Thread[] threads = {start(Main::taker), start(Main::first), start(Main::second)};
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
