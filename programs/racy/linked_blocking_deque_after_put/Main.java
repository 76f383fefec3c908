import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

/** The producer changes a box after it has put it into a LinkedBlockingDeque. */
public class Main {
    static final class Box {
        int value;
    }

    private static final BlockingDeque<Box> DEQUE = new LinkedBlockingDeque<>();

    static void produce() {
        Box box = new Box();
        DEQUE.addFirst(box);
        box.value = 1; // race: writes value
    }

    static int consume() throws InterruptedException {
        return DEQUE.takeLast().value; // race: reads value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread producer = new Thread(Main::produce);
        producer.start();
        int seen = consume();
        producer.join();
        System.out.println(seen < 2);
    }
}
