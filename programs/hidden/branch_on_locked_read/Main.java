/** The second write is only made if the lock was taken in the other order. */
public class Main {
    static final class State {
        boolean isReady;
    }

    static final State state = new State();
    static int x;

    static void prepare() {
        x = 1;
        synchronized (state) {
            state.isReady = true;
        }
    }

    static void use() throws InterruptedException {
        Thread.sleep(150);
        boolean isReady;
        synchronized (state) {
            isReady = state.isReady;
        }
        if (!isReady) {
            x = 2;
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
        Thread[] threads = {start(Main::prepare), start(Main::use)};
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
