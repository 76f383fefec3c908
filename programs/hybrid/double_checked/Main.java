import java.util.concurrent.atomic.AtomicInteger;

/** Double-checked locking without volatile: the first look has no lock. */
public class Main {
    static final AtomicInteger DONE = new AtomicInteger();
    static Main instance;
    int value = 7;

    static Main get() {
        if (instance == null) {
            synchronized (Main.class) {
                if (instance == null) {
                    instance = new Main();
                }
            }
        }
        return instance;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int j = 0; j < 100; j++) {
                    if (get().value != 7) {
                        throw new IllegalStateException();
                    }
                }
                DONE.setOpaque(DONE.getOpaque() + 1);
            });
            threads[i].start();
            // Those that come later read what the first one wrote, and no order.
            while (DONE.getOpaque() <= i) {
                Thread.sleep(1);
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("there");
    }
}
