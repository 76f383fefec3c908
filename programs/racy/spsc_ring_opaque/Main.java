import java.util.concurrent.atomic.AtomicLong;

/** A ring whose producer publishes its counter in opaque mode: the elements race. */
public class Main {
    private static final int[] RING = new int[8];
    private static final AtomicLong PRODUCED = new AtomicLong();

    static void produce() {
        RING[0] = 7; // race: writes []
        PRODUCED.setOpaque(1);
    }

    static int consume() {
        while (PRODUCED.getAcquire() == 0) {
            Thread.onSpinWait();
        }
        return RING[0]; // race: reads []
    }

    public static void main(String[] arguments) throws InterruptedException {
        // What this initializes would order the two.
        PRODUCED.setOpaque(PRODUCED.getAcquire());
        Thread producer = new Thread(Main::produce);
        producer.start();
        int seen = consume();
        producer.join();
        System.out.println(seen < 8);
    }
}
