import java.util.concurrent.BlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;

/** A PriorityBlockingQueue that grows compares the boxes, and so reads them, in both threads. */
public class Main {
    static final class Box implements Comparable<Box> {
        int value;

        @Override
        public int compareTo(Box other) {
            return Integer.compare(value, other.value);
        }
    }

    private static final BlockingQueue<Box> QUEUE = new PriorityBlockingQueue<>(2);

    static void produce() {
        for (int i = 100; i >= 1; i--) {
            Box box = new Box();
            box.value = i;
            QUEUE.add(box);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread producer = new Thread(Main::produce);
        producer.start();
        int sum = 0;
        for (int i = 1; i <= 100; i++) {
            sum += QUEUE.take().value;
        }
        producer.join();
        System.out.println(sum);
    }
}
