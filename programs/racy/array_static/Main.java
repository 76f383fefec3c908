/** A long[] in a static field: written under a lock, read without it. */
public class Main {
    private static final long[] TOTALS = new long[4];

    static void add(int index) {
        synchronized (TOTALS) {
            TOTALS[index] += 5; // race: reads writes []
        }
    }

    static long get(int index) {
        return TOTALS[index]; // race: reads []
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(() -> add(2));
        Thread two = new Thread(() -> get(2));
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(get(2));
    }
}
