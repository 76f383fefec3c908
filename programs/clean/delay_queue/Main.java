import java.util.concurrent.BlockingQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** Boxes wait in a DelayQueue until their time has come; the taker waits for the first. */
public class Main {
    static final class Box implements Delayed {
        final long due;
        int value;

        Box(long milliseconds) {
            due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(due - ((Box) other).due, 0);
        }
    }

    private static final BlockingQueue<Box> QUEUE = new DelayQueue<>();

    static void produce() {
        for (int i = 1; i <= 20; i++) {
            Box box = new Box(i % 5);
            box.value = i;
            QUEUE.add(box);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread producer = new Thread(Main::produce);
        producer.start();
        int sum = 0;
        for (int i = 1; i <= 20; i++) {
            sum += QUEUE.take().value;
        }
        producer.join();
        System.out.println(sum);
    }
}
