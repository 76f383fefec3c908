import java.util.concurrent.atomic.AtomicReference;

/** A queue of two ends without locks: values are plain, links are atomic, any thread may push the tail on. */
public class Main {
    static final class Node {
        int value;
        final AtomicReference<Node> next = new AtomicReference<>();
    }

    private final AtomicReference<Node> head;
    private final AtomicReference<Node> tail;

    Main() {
        Node dummy = new Node();
        head = new AtomicReference<>(dummy);
        tail = new AtomicReference<>(dummy);
    }

    void enqueue(int value) {
        Node node = new Node();
        node.value = value;
        while (true) {
            Node last = tail.get();
            Node next = last.next.get();
            if (next != null) {
                tail.compareAndSet(last, next);
            } else if (last.next.compareAndSet(null, node)) {
                tail.compareAndSet(last, node);
                return;
            }
        }
    }

    int dequeue() {
        while (true) {
            Node first = head.get();
            Node last = tail.get();
            Node next = first.next.get();
            if (first == last) {
                if (next == null) {
                    return 0;
                }
                tail.compareAndSet(last, next);
            } else if (next != null) {
                int value = next.value;
                if (head.compareAndSet(first, next)) {
                    return value;
                }
            }
        }
    }

    void enqueueAll() {
        for (int i = 1; i <= 100; i++) {
            enqueue(i);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main queue = new Main();
        Thread one = new Thread(queue::enqueueAll);
        Thread two = new Thread(queue::enqueueAll);
        one.start();
        two.start();
        int sum = 0;
        for (int taken = 0; taken < 200; ) {
            int value = queue.dequeue();
            if (value > 0) {
                sum += value;
                taken++;
            }
        }
        one.join();
        two.join();
        System.out.println(sum);
    }
}
