import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

/** Boxes enter a LinkedBlockingDeque at both ends and leave it at both. */
public class Main {
    static final class Box {
        int value;
    }

    private static final BlockingDeque<Box> DEQUE = new LinkedBlockingDeque<>(4);

    static void produce() {
        try {
            for (int i = 1; i <= 100; i++) {
                Box box = new Box();
                box.value = i;
                if (i % 2 == 0) {
                    DEQUE.putFirst(box);
                } else {
                    DEQUE.putLast(box);
                }
            }
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread producer = new Thread(Main::produce);
        producer.start();
        int sum = 0;
        for (int i = 1; i <= 100; i++) {
            sum += (i % 3 == 0 ? DEQUE.takeFirst() : DEQUE.takeLast()).value;
        }
        producer.join();
        System.out.println(sum);
    }
}
