import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TransferQueue;

/** A LinkedTransferQueue with producers that wait for their consumer and producers that do not. */
public class Main {
    static final class Box {
        int value;
    }

    private static final TransferQueue<Box> QUEUE = new LinkedTransferQueue<>();

    static void produce() {
        try {
            for (int i = 1; i <= 100; i++) {
                Box box = new Box();
                box.value = i;
                if (i % 3 == 0) {
                    QUEUE.transfer(box);
                } else if (i % 3 == 1 || !QUEUE.tryTransfer(box)) {
                    QUEUE.put(box);
                }
            }
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(Main::produce);
        Thread two = new Thread(Main::produce);
        one.start();
        two.start();
        int sum = 0;
        for (int i = 1; i <= 200; i++) {
            sum += QUEUE.take().value;
        }
        one.join();
        two.join();
        System.out.println(sum);
    }
}
