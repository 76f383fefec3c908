import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** One-shot tasks hand their results over; the runs of a periodic task come one after another, on any thread. */
public class Main {
    private static final CountDownLatch RUNS = new CountDownLatch(5);
    private static int input;
    private static int count;

    static int[] compute() {
        int[] result = new int[1];
        result[0] = 2 * input;
        return result;
    }

    static void tick() {
        count++;
        RUNS.countDown();
    }

    public static void main(String[] arguments) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(2);
        input = 21;
        ScheduledFuture<int[]> result = pool.schedule(Main::compute, 1, TimeUnit.MILLISECONDS);
        ScheduledFuture<?> ticks = pool.scheduleAtFixedRate(Main::tick, 0, 1, TimeUnit.MILLISECONDS);
        int computed = result.get()[0];
        RUNS.await();
        ticks.cancel(false);
        pool.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.SECONDS)) {
            Thread.onSpinWait();
        }
        System.out.println(computed + " " + (count >= 5));
    }
}
