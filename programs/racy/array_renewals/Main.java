import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Two threads write their parts of arrays round after round; in the last round, one reads or writes what is the other's. */
public class Main {
    private static final int LENGTH = 1000;
    private static final int ROUNDS = 20;
    private static final CyclicBarrier BARRIER = new CyclicBarrier(2);

    static void write(int[] cells, int from, int to) {
        for (int i = from; i < to; i++) {
            cells[i] = i; // race: writes []
        }
    }

    static int read(int[] cells, int from, int to) {
        int sum = 0;
        for (int i = from; i < to; i++) {
            sum += cells[i]; // race: reads []
        }
        return sum;
    }

    static void writeEveryOther(long[] cells, int from) {
        for (int i = from; i < cells.length; i += 2) {
            cells[i] = i; // race: writes []
        }
    }

    static void one(byte[] cells) {
        cells[LENGTH / 2]++; // race: reads writes []
    }

    static void all(byte[] cells) {
        for (int i = 0; i < cells.length; i++) {
            cells[i]++; // race: reads writes []
        }
    }

    static double leave(double[] cells, double wanted) {
        for (int i = 0; i < cells.length; i++) {
            if (cells[i] == wanted) { // race: reads []
                return i;
            }
        }
        return -1;
    }

    static void change(double[] cells) {
        for (int i = cells.length - 1; i >= 0; i--) {
            cells[i] = 2; // race: writes []
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] ints = new int[LENGTH];
        long[] longs = new long[LENGTH];
        byte[] bytes = new byte[LENGTH];
        double[] doubles = new double[LENGTH];
        Thread[] threads = new Thread[2];
        for (int t = 0; t < 2; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    write(ints, 500 * me, 500 * me + 500);
                    writeEveryOther(longs, me);
                    if (me == 0) {
                        all(bytes);
                    }
                    meet();
                }
                if (me == 0) {
                    write(ints, 0, 500);
                    writeEveryOther(longs, 0);
                    all(bytes);
                    leave(doubles, 3);
                } else {
                    change(doubles);
                    one(bytes);
                    writeEveryOther(longs, 0);
                    read(ints, 490, 600);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
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
