import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TransferQueue;

/** The producer changes a box after it has transferred it. */
public class Main {
    static final class Box {
        int value;
    }

    private static final TransferQueue<Box> QUEUE = new LinkedTransferQueue<>();

    static void produce() {
        Box box = new Box();
        try {
            QUEUE.transfer(box);
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
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
