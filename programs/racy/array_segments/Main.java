/**
 * Arrays so long that their elements have several pools of words: each of two threads has a part of its own, but one goes one
 * element too far where such a pool ends.
 */
public class Main {
    private static final int LENGTH = 50_000;
    private static final int SEGMENT = 16_384;

    static void write(int[] cells, int from, int to) {
        for (int i = from; i < to; i++) {
            cells[i] = i; // race: writes []
        }
    }

    static long read(int[] cells, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += cells[i]; // race: reads []
        }
        return sum;
    }

    static void everyThird(long[] cells, int from) {
        for (int i = from; i < cells.length; i += 3) {
            cells[i] = i; // race: writes []
        }
    }

    static void last(long[] cells) {
        cells[2 * SEGMENT] = 0; // race: writes []
    }

    static void copy(byte[] cells) {
        System.arraycopy(cells, 0, cells, SEGMENT, SEGMENT + 1); // race: reads writes []
    }

    static void one(byte[] cells) {
        cells[2 * SEGMENT]++; // race: reads writes []
    }

    static double sum(double[] cells) {
        double sum = 0;
        for (double cell : cells) { // race: reads []
            sum += cell;
        }
        return sum;
    }

    static void set(double[] cells) {
        cells[3 * SEGMENT - 1] = 1; // race: writes []
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] ints = new int[LENGTH];
        long[] longs = new long[LENGTH];
        byte[] bytes = new byte[LENGTH];
        double[] doubles = new double[LENGTH];
        Thread[] threads = new Thread[5];
        for (int t = 0; t < threads.length; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                if (me == 0) {
                    write(ints, 0, SEGMENT + 1);
                    everyThird(longs, 2 * SEGMENT % 3);
                    copy(bytes);
                    set(doubles);
                } else if (me == 1) {
                    read(ints, SEGMENT, LENGTH);
                    last(longs);
                    one(bytes);
                } else {
                    sum(doubles);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
