import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** Many threads add to adders, whose cells are theirs; a latch tells when the sum is right. */
public class Main {
    private static final LongAdder LONGS = new LongAdder();
    private static final DoubleAdder DOUBLES = new DoubleAdder();
    private static final LongAccumulator MOST = new LongAccumulator(Math::max, 0);
    private static final CountDownLatch DONE = new CountDownLatch(4);

    static void add() {
        for (int i = 1; i <= 1000; i++) {
            LONGS.increment();
            DOUBLES.add(0.5);
            MOST.accumulate(i);
        }
        DONE.countDown();
    }

    public static void main(String[] arguments) throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            new Thread(Main::add).start();
        }
        DONE.await();
        System.out.println(LONGS.sum() + " " + DOUBLES.sum() + " " + MOST.get());
    }
}
