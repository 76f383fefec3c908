import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** The producer changes a box after it has put it into an ArrayBlockingQueue. */
public class Main {
    static final class Box {
        int value;
    }

    private static final BlockingQueue<Box> QUEUE = new ArrayBlockingQueue<>(1);

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
