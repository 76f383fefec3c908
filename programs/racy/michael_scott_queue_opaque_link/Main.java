import java.util.concurrent.atomic.AtomicReference;

/** The link of a queue is set in opaque mode: the node is found, its value is not handed over. */
public class Main {
    static final class Node {
        int value;
        final AtomicReference<Node> next = new AtomicReference<>();
    }

    private static final Node HEAD = new Node();

    static void enqueue(int value) {
        Node node = new Node();
        node.value = value; // race: writes value
        HEAD.next.setOpaque(node);
    }

    static int dequeue() {
        Node node;
        while ((node = HEAD.next.getOpaque()) == null) {
            Thread.onSpinWait();
        }
        return node.value; // race: reads value
    }

    public static void main(String[] arguments) throws InterruptedException {
        // What this initializes would order the two.
        HEAD.next.setOpaque(HEAD.next.getOpaque());
        Thread producer = new Thread(() -> enqueue(5));
        producer.start();
        int seen = dequeue();
        producer.join();
        System.out.println(seen < 6);
    }
}
