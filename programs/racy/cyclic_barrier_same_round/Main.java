import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** A barrier separates rounds; within a round it orders nothing. */
public class Main {
    private static final CyclicBarrier BARRIER = new CyclicBarrier(2);
    private static int total;

    static void work() {
        try {
            BARRIER.await();
        } catch (InterruptedException | BrokenBarrierException unexpected) {
            throw new AssertionError(unexpected);
        }
        total++; // race: reads writes total
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(Main::work);
        other.start();
        work();
        other.join();
        System.out.println(total > 0);
    }
}
