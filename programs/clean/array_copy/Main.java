import java.util.Arrays;

/** A thread works on copies of an array that others only read; the result is handed over under a lock. */
public class Main {
    private static int[] published = new int[50];

    static void work(int[] original) {
        int[] copy = original.clone();
        for (int i = 0; i < copy.length; i++) {
            copy[i] = 2 * copy[i];
        }
        int[] longer = new int[2 * copy.length];
        System.arraycopy(copy, 0, longer, copy.length, copy.length);
        longer[0] = 1;
        synchronized (Main.class) {
            published = Arrays.copyOf(longer, longer.length + published.length);
            published[0]++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] original = {3, 1, 4, 1, 5, 9, 2, 6};
        Thread one = new Thread(() -> work(original));
        Thread two = new Thread(() -> work(original));
        one.start();
        two.start();
        synchronized (Main.class) {
            published[1] = original[0];
        }
        one.join();
        two.join();
        System.out.println(published[0] + " " + published[9]);
    }
}
