import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Boxes go through the two queues without locks, with two producers. */
public class Main {
    static final class Box {
        int value;
    }

    static void produce(Queue<Box> queue) {
        for (int i = 1; i <= 100; i++) {
            Box box = new Box();
            box.value = i;
            queue.offer(box);
        }
    }

    static int run(Queue<Box> queue) throws InterruptedException {
        Thread one = new Thread(() -> produce(queue));
        Thread two = new Thread(() -> produce(queue));
        one.start();
        two.start();
        int sum = 0;
        for (int taken = 0; taken < 200; ) {
            Box box = queue.poll();
            if (box != null) {
                sum += box.value;
                taken++;
            }
        }
        one.join();
        two.join();
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println(run(new ConcurrentLinkedQueue<>()) + " " + run(new ConcurrentLinkedDeque<>()));
    }
}
