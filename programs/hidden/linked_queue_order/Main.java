import java.util.concurrent.LinkedBlockingQueue;

/** Two producers are ordered by the lock of a linked queue. */
public class Main {
    static final LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    static int x;

    static void produce(int value) throws InterruptedException {
        queue.put(value);
    }

    static void first() throws InterruptedException {
        x = 1;
        produce(1);
    }

    static void second() throws InterruptedException {
        Thread.sleep(150);
        produce(2);
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
