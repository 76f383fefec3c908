import java.util.concurrent.atomic.AtomicReference;

/** A stack whose top is compared and set; its nodes are plain. */
public class Main {
    static final class Node {
        int value;
        Node next;
    }

    private static final AtomicReference<Node> TOP = new AtomicReference<>();

    static void push(int value) {
        Node node = new Node();
        node.value = value;
        do {
            node.next = TOP.get();
        } while (!TOP.compareAndSet(node.next, node));
    }

    static int pop() {
        while (true) {
            Node top = TOP.get();
            if (top == null) {
                return 0;
            }
            if (TOP.compareAndSet(top, top.next)) {
                return top.value;
            }
        }
    }

    static void pushAll() {
        for (int i = 1; i <= 100; i++) {
            push(i);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(Main::pushAll);
        Thread two = new Thread(Main::pushAll);
        one.start();
        two.start();
        int sum = 0;
        for (int popped = 0; popped < 200; ) {
            int value = pop();
            if (value > 0) {
                sum += value;
                popped++;
            }
        }
        one.join();
        two.join();
        System.out.println(sum);
    }
}
