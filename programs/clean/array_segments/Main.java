import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Arrays so long that their elements have several pools of words: threads write parts of their own that end near where a pool
 * ends, meet, and all read all of it, round after round.
 */
public class Main {
    private static final int LENGTH = 50_000;
    private static final int THREADS = 9;
    private static final int[] ENDS = {0, 16_383, 16_384, 16_385, 20_000, 32_767, 32_769, 49_152, 49_153, LENGTH};
    private static final CyclicBarrier BARRIER = new CyclicBarrier(THREADS);

    static void write(int[] cells, int from, int to, int round) {
        for (int i = from; i < to; i++) {
            cells[i] += i + round;
        }
    }

    static void everyNinth(byte[] cells, int from) {
        for (int i = from; i < cells.length; i += THREADS) {
            cells[i]++;
        }
    }

    static long sum(int[] cells, byte[] bytes) {
        long sum = 0;
        for (int cell : cells) {
            sum += cell;
        }
        for (int i = bytes.length - 1; i >= 0; i -= 5) {
            sum += bytes[i];
        }
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] ints = new int[LENGTH];
        byte[] bytes = new byte[LENGTH];
        long[] sums = new long[THREADS];
        Thread[] threads = new Thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                for (int round = 0; round < 12; round++) {
                    // Each part is another thread's in the next round.
                    int part = (me + round) % THREADS;
                    write(ints, ENDS[part], ENDS[part + 1], round);
                    everyNinth(bytes, part);
                    meet();
                    sums[me] += sum(ints, bytes);
                    meet();
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (long sum : sums) {
            System.out.println(sum);
        }
    }

    private static void meet() {
        try {
            BARRIER.await();
        } catch (InterruptedException | BrokenBarrierException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
