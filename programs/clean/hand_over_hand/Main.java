import java.util.concurrent.locks.ReentrantLock;

/** A list with a lock in each node: the next is locked before the last is left. */
public class Main {
    static final class Node {
        final ReentrantLock lock = new ReentrantLock();
        int value;
        Node next;
    }

    private static final Node HEAD = new Node();

    static void insert(int value) {
        Node before = HEAD;
        before.lock.lock();
        Node after = before.next;
        while (after != null && after.value < value) {
            after.lock.lock();
            before.lock.unlock();
            before = after;
            after = before.next;
        }
        Node node = new Node();
        node.value = value;
        node.next = after;
        before.next = node;
        before.lock.unlock();
    }

    static void insertAll(int first) {
        for (int i = first; i < 60; i += 2) {
            insert(i * 7 % 61 + 1);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(() -> insertAll(0));
        other.start();
        insertAll(1);
        other.join();
        int sum = 0;
        int last = 0;
        for (Node node = HEAD.next; node != null; node = node.next) {
            sum += node.value;
            if (node.value <= last) {
                throw new AssertionError();
            }
            last = node.value;
        }
        System.out.println(sum);
    }
}
