import java.util.concurrent.ArrayBlockingQueue;

/** Two producers are ordered by the lock of the queue into which they put something. */
public class Main {
    static final ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(10);
    static int x;

    static void first() throws InterruptedException {
        x = 1;
        queue.put(1);
    }

    static void second() throws InterruptedException {
        Thread.sleep(150);
        queue.put(2);
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
