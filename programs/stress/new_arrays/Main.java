import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Two threads come to each new array at the same moment, which they know by the clock. */
public class Main {
    static final CyclicBarrier BARRIER = new CyclicBarrier(2);
    static int[] array;
    static long moment;

    static void use() throws InterruptedException {
        try {
            BARRIER.await();
            while (System.nanoTime() < moment) {
                Thread.onSpinWait();
            }
            array[0]++;
            array[1]++;
            BARRIER.await();
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int rounds = Integer.parseInt(arguments[0]);
        Thread other = new Thread(() -> {
            try {
                for (int i = 0; i < rounds; i++) {
                    use();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        other.start();
        for (int i = 0; i < rounds; i++) {
            array = new int[2];
            moment = System.nanoTime() + 200_000;
            use();
        }
        other.join();
        System.out.println("done");
    }
}
