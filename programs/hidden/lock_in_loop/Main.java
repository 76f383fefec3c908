/** The first thread takes the lock many times, and is through before the second does so once. */
public class Main {
    static final class Counter {
        int count;
    }

    static final Counter counter = new Counter();
    static int x;

    static void count(int times) {
        for (int i = 0; i < times; i++) {
            synchronized (counter) {
                counter.count++;
            }
        }
    }

    static void first() {
        x = 1;
        count(50);
    }

    static void second() throws InterruptedException {
        Thread.sleep(150);
        count(1);
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
