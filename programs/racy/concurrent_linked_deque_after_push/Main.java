import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/** A box is changed after it was pushed to a ConcurrentLinkedDeque. */
public class Main {
    static final class Box {
        int value;
    }

    private static final Deque<Box> DEQUE = new ConcurrentLinkedDeque<>();

    static void produce() {
        Box box = new Box();
        DEQUE.push(box);
        box.value = 1; // race: writes value
    }

    static int consume() {
        Box box;
        while ((box = DEQUE.pollLast()) == null) {
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
