import java.util.concurrent.atomic.AtomicInteger;

/** Each worker counts down when it is done; the last one adds up what all have written. */
public class Main {
    private static final int WORKERS = 4;
    private static final AtomicInteger LEFT = new AtomicInteger(WORKERS);
    private static final int[] PARTS = new int[WORKERS];
    private static volatile int result;

    static void work(int worker) {
        PARTS[worker] = worker + 1;
        if (LEFT.decrementAndGet() == 0) {
            int sum = 0;
            for (int part : PARTS) {
                sum += part;
            }
            result = sum;
        }
    }

    public static void main(String[] arguments) {
        for (int i = 0; i < WORKERS; i++) {
            int worker = i;
            new Thread(() -> work(worker)).start();
        }
        while (result == 0) {
            Thread.onSpinWait();
        }
        System.out.println(result);
    }
}
