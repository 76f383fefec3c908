import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A box is changed after it was offered to a ConcurrentLinkedQueue. */
public class Main {
    static final class Box {
        int value;
    }

    private static final Queue<Box> QUEUE = new ConcurrentLinkedQueue<>();

    static void produce() {
        Box box = new Box();
        QUEUE.offer(box);
        box.value = 1; // race: writes value
    }

    static int consume() {
        Box box;
        while ((box = QUEUE.poll()) == null) {
            Thread.onSpinWait();
        }
        return box.value; // race: reads value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread producer = new Thread(Main::produce);
        producer.start();
        int seen = consume();
        producer.join();
        System.out.println(seen < 2);
    }
}
