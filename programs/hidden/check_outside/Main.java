/** A value is checked outside the lock that its writer takes afterwards. */
public class Main {
    static final class Table {
        boolean isFull;
    }

    static final Table table = new Table();
    static int size;

    static void fill() {
        size = 7;
        synchronized (table) {
            table.isFull = true;
        }
    }

    static void look() throws InterruptedException {
        Thread.sleep(150);
        boolean isFull;
        synchronized (table) {
            isFull = table.isFull;
        }
        if (size > 3 && isFull) {
            Thread.yield();
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
        Thread[] threads = {start(Main::fill), start(Main::look)};
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
