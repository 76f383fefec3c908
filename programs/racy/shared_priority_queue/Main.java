import java.util.PriorityQueue;
import java.util.Queue;

/** One thread offers to a PriorityQueue, another looks at its head. */
public class Main {
    private static final Queue<String> QUEUE = new PriorityQueue<>();

    static void offer() {
        QUEUE.offer("element"); // race: writes PriorityQueue
    }

    static String peek() {
        return QUEUE.peek(); // race: reads PriorityQueue
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread offerer = new Thread(Main::offer);
        offerer.start();
        peek();
        offerer.join();
        System.out.println(QUEUE.size());
    }
}
