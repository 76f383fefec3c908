import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;

/**
 * A thread that is none of the pool's submits tasks faster than they are done: a worker that is awake finds the next one in the
 * queue, and only the queue's slot orders what the submitter wrote before what the task reads.
 */
public class Main {
    static final class Message {
        int text;
    }

    public static void main(String[] arguments) throws InterruptedException {
        ForkJoinPool pool = new ForkJoinPool(2);
        long[] sums = new long[400];
        CountDownLatch done = new CountDownLatch(sums.length);
        for (int i = 0; i < sums.length; i++) {
            int own = i;
            Message message = new Message();
            Runnable task = () -> {
                for (int k = 0; k < 200; k++) {
                    sums[own] += message.text;
                }
                done.countDown();
            };
            message.text = i;
            pool.execute(task);
        }
        done.await();
        long sum = 0;
        for (long one : sums) {
            sum += one;
        }
        System.out.println(sum);
        pool.shutdown();
    }
}
