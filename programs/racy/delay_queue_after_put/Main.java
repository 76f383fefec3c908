import java.util.concurrent.BlockingQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** The producer changes a box after it has put it into a DelayQueue, whatever its delay. */
public class Main {
    static final class Box implements Delayed {
        final long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10);
        int value;

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }

    private static final BlockingQueue<Box> QUEUE = new DelayQueue<>();

    static void produce() {
        Box box = new Box();
        QUEUE.add(box);
        box.value = 1; // race: writes value
    }

    static int consume() throws InterruptedException {
        return QUEUE.take().value; // race: reads value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread producer = new Thread(Main::produce);
        producer.start();
        int seen = consume();
        producer.join();
        System.out.println(seen < 2);
    }
}
