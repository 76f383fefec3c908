import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Workers fill their parts, the barrier's action adds them up, and all workers read the sum in the next round. */
public class Main {
    private static final int WORKERS = 3;
    private static final int[] PARTS = new int[WORKERS];
    private static int sum;
    private static final CyclicBarrier BARRIER = new CyclicBarrier(WORKERS, Main::add);

    static void add() {
        for (int part : PARTS) {
            sum += part;
        }
    }

    static void work(int worker) {
        try {
            for (int round = 0; round < 20; round++) {
                PARTS[worker] = sum % 3 + worker;
                BARRIER.await();
            }
        } catch (InterruptedException | BrokenBarrierException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(() -> work(1));
        Thread two = new Thread(() -> work(2));
        one.start();
        two.start();
        work(0);
        one.join();
        two.join();
        System.out.println(sum);
    }
}
