import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Two producers and two consumers share a LinkedBlockingQueue, bounded and not; an empty box ends the work. */
public class Main {
    static final class Box {
        int value;
    }

    static void produce(BlockingQueue<Box> queue) {
        try {
            for (int i = 1; i <= 100; i++) {
                Box box = new Box();
                box.value = i;
                queue.put(box);
            }
            queue.put(new Box());
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    static void consume(BlockingQueue<Box> queue, Box sum) {
        try {
            for (Box box = queue.take(); box.value > 0; box = queue.take()) {
                sum.value += box.value;
            }
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    static int run(BlockingQueue<Box> queue) throws InterruptedException {
        Box one = new Box();
        Box two = new Box();
        Thread[] threads = {
            new Thread(() -> produce(queue)),
            new Thread(() -> produce(queue)),
            new Thread(() -> consume(queue, one)),
            new Thread(() -> consume(queue, two)),
        };
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return one.value + two.value;
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println(run(new LinkedBlockingQueue<>(3)) + " " + run(new LinkedBlockingQueue<>()));
    }
}
