import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** What the tasks did comes before awaitTermination() returns; the tasks of one thread come one after another. */
public class Main {
    private static final int[] PARTS = new int[20];
    private static int count;

    public static void main(String[] arguments) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        ExecutorService single = Executors.newSingleThreadExecutor();
        for (int i = 0; i < PARTS.length; i++) {
            int part = i;
            pool.execute(() -> PARTS[part] = part);
            single.execute(() -> count++);
        }
        pool.shutdown();
        single.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.SECONDS) || !single.awaitTermination(1, TimeUnit.SECONDS)) {
            Thread.onSpinWait();
        }
        int sum = 0;
        for (int part : PARTS) {
            sum += part;
        }
        System.out.println(sum + " " + count);
    }
}
