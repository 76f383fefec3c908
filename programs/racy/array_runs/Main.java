/**
 * Loops over arrays race in elements that a run has deferred: forwards, backwards, in steps, before a lock and at a thread's end.
 */
public class Main {
    private static final Object LOCK = new Object();
    private static final int LENGTH = 1000;

    static void fill(int[] cells) {
        for (int i = 0; i < cells.length; i++) {
            cells[i] = i; // race: writes []
        }
    }

    static int sumBackwards(int[] cells) {
        int sum = 0;
        for (int i = cells.length - 1; i >= 0; i--) {
            sum += cells[i]; // race: reads []
        }
        return sum;
    }

    static void everyThird(long[] cells) {
        for (int i = 0; i < cells.length; i += 3) {
            cells[i]++; // race: reads writes []
        }
        synchronized (LOCK) {
            // The run ends before this.
        }
    }

    static void last(long[] cells) {
        synchronized (LOCK) {
            cells[LENGTH - 1]++; // race: reads writes []
        }
    }

    /** Once the pool of words is used up, elements have their own. */
    static void eachInItsEpoch(byte[] cells) {
        for (int i = 0; i < cells.length; i++) {
            cells[i] = 1;
            synchronized (LOCK) {
                // A new epoch.
            }
        }
    }

    static void add(byte[] cells) {
        for (int i = 1; i < cells.length; i++) {
            cells[i] += cells[i - 1]; // race: reads writes []
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] ints = new int[LENGTH];
        long[] longs = new long[LENGTH];
        byte[] bytes = new byte[LENGTH];
        eachInItsEpoch(bytes);
        Thread one = new Thread(() -> {
            fill(ints);
            add(bytes);
            everyThird(longs);
        });
        Thread two = new Thread(() -> {
            add(bytes);
            sumBackwards(ints);
            last(longs);
        });
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
