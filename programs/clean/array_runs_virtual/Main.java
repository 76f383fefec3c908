import java.util.concurrent.Semaphore;

/** Virtual threads take turns at an array; each leaves its carrier in the midst of a run. */
public class Main {
    private static final int LENGTH = 200;
    private static final Semaphore TURN = new Semaphore(1);

    static void add(int[] cells) {
        for (int i = 0; i < cells.length; i++) {
            cells[i]++;
            if (i % 64 == 50) {
                Thread.yield();
            }
        }
    }

    static void work(int[] cells) {
        for (int round = 0; round < 5; round++) {
            TURN.acquireUninterruptibly();
            add(cells);
            TURN.release();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] cells = new int[LENGTH];
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.ofVirtual().start(() -> work(cells));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(cells[0] + cells[LENGTH - 1]);
    }
}
