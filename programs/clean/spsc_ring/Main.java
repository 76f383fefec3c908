import java.util.concurrent.atomic.AtomicLong;

/** A ring of plain elements between one producer and one consumer; the counters are released and acquired. */
public class Main {
    private static final int[] RING = new int[8];
    private static final AtomicLong PRODUCED = new AtomicLong();
    private static final AtomicLong CONSUMED = new AtomicLong();
    private static final int COUNT = 200;

    static void produce() {
        for (int i = 0; i < COUNT; i++) {
            while (i - CONSUMED.getAcquire() == RING.length) {
                Thread.onSpinWait();
            }
            RING[i % RING.length] = i;
            PRODUCED.setRelease(i + 1);
        }
    }

    static int consume() {
        int sum = 0;
        for (int i = 0; i < COUNT; i++) {
            while (PRODUCED.getAcquire() == i) {
                Thread.onSpinWait();
            }
            sum += RING[i % RING.length];
            CONSUMED.setRelease(i + 1);
        }
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread producer = new Thread(Main::produce);
        producer.start();
        int sum = consume();
        producer.join();
        System.out.println(sum);
    }
}
