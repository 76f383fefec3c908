import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Boxes go through an ArrayBlockingQueue of two places, put and taken in every way. */
public class Main {
    static final class Box {
        int value;
    }

    private static final BlockingQueue<Box> QUEUE = new ArrayBlockingQueue<>(2);
    private static final int BOXES = 150;

    static void produce() {
        try {
            for (int i = 1; i <= BOXES; i++) {
                Box box = new Box();
                box.value = i;
                if (i % 2 == 0 || !QUEUE.offer(box, 1, TimeUnit.MILLISECONDS)) {
                    QUEUE.put(box);
                }
            }
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread producer = new Thread(Main::produce);
        producer.start();
        List<Box> boxes = new ArrayList<>();
        while (boxes.size() < BOXES) {
            boxes.add(QUEUE.take());
            Box polled = QUEUE.poll(1, TimeUnit.MILLISECONDS);
            if (polled != null) {
                boxes.add(polled);
            }
            QUEUE.drainTo(boxes);
        }
        int sum = 0;
        for (Box box : boxes) {
            sum += box.value;
        }
        producer.join();
        System.out.println(sum);
    }
}
