import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Two threads write their parts of arrays round after round, in steps, read each other's after a barrier, and change places. */
public class Main {
    private static final int LENGTH = 1003;
    private static final int ROUNDS = 40;
    private static final CyclicBarrier BARRIER = new CyclicBarrier(2);

    static void each(int[] cells, int from, int to) {
        for (int i = from; i < to; i++) {
            cells[i] += i;
        }
    }

    static void everyOther(double[] above, double[] row, int from) {
        for (int i = from; i < row.length - 1; i += 2) {
            row[i] = row[i - 1] + above[i] + row[i + 1];
        }
    }

    static void everyFourth(long[] cells, int from) {
        for (int i = from; i < cells.length; i += 4) {
            cells[i]++;
        }
    }

    static void everyEighth(byte[] cells, int from) {
        for (int i = cells.length - 1 - from; i >= 0; i -= 8) {
            cells[i]++;
        }
    }

    static long sum(int[] cells) {
        long sum = 0;
        for (int cell : cells) {
            sum += cell;
        }
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] ints = new int[LENGTH];
        double[][] rows = new double[4][LENGTH];
        long[] longs = new long[LENGTH];
        byte[] bytes = new byte[LENGTH];
        long[] sums = new long[2];
        Thread[] threads = new Thread[2];
        for (int t = 0; t < 2; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    // The parts meet inside of four elements, and each fifth round their owners change.
                    int part = round % 5 == 4 ? 1 - me : me;
                    each(ints, part == 0 ? 0 : 501, part == 0 ? 501 : LENGTH);
                    everyFourth(longs, part);
                    everyEighth(bytes, part);
                    everyEighth(bytes, 4 + part);
                    meet();
                    everyOther(rows[2 * me], rows[2 * me + 1], 1 + round % 2);
                    sums[me] += sum(ints);
                    meet();
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(sums[0] == sums[1]);
        System.out.println("done");
    }

    private static void meet() {
        try {
            BARRIER.await();
        } catch (InterruptedException | BrokenBarrierException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
