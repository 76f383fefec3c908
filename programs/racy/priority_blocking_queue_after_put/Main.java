import java.util.concurrent.BlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;

/** The producer changes a box after it has put it into a PriorityBlockingQueue. */
public class Main {
    static final class Box implements Comparable<Box> {
        int value;

        @Override
        public int compareTo(Box other) {
            return 0;
        }
    }

    private static final BlockingQueue<Box> QUEUE = new PriorityBlockingQueue<>();

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
