import java.util.concurrent.atomic.AtomicReference;

/** The node goes onto the stack before its value is in it. */
public class Main {
    static final class Node {
        int value;
        Node next;
    }

    private static final AtomicReference<Node> TOP = new AtomicReference<>();

    static void push(int value) {
        Node node = new Node();
        do {
            node.next = TOP.get();
        } while (!TOP.compareAndSet(node.next, node));
        node.value = value; // race: writes value
    }

    static int pop() {
        while (true) {
            Node top = TOP.get();
            if (top != null && TOP.compareAndSet(top, top.next)) {
                return top.value; // race: reads value
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread pusher = new Thread(() -> push(5));
        pusher.start();
        int seen = pop();
        pusher.join();
        System.out.println(seen < 6);
    }
}
