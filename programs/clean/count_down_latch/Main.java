import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One latch lets the workers go, the other tells that all are done. */
public class Main {
    private static final CountDownLatch GO = new CountDownLatch(1);
    private static final CountDownLatch DONE = new CountDownLatch(3);
    private static int task;
    private static final int[] RESULTS = new int[3];

    static void work(int worker) {
        try {
            GO.await();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
        RESULTS[worker] = task * (worker + 1);
        DONE.countDown();
    }

    public static void main(String[] arguments) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            int worker = i;
            new Thread(() -> work(worker)).start();
        }
        task = 7;
        GO.countDown();
        while (!DONE.await(1, TimeUnit.SECONDS)) {
            Thread.onSpinWait();
        }
        System.out.println(RESULTS[0] + RESULTS[1] + RESULTS[2]);
    }
}
