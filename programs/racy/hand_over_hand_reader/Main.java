import java.util.concurrent.locks.ReentrantLock;

/** Those who insert go hand over hand, the one who counts takes no lock. */
public class Main {
    static final class Node {
        final ReentrantLock lock = new ReentrantLock();
        Node next;
    }

    private static final Node HEAD = new Node();

    static void insert() {
        Node node = new Node();
        HEAD.lock.lock();
        try {
            HEAD.next = node; // race: writes next
        } finally {
            HEAD.lock.unlock();
        }
    }

    static int length() {
        int length = 0;
        for (Node node = HEAD; node != null; node = node.next) { // race: reads next
            length++;
        }
        return length;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread inserter = new Thread(Main::insert);
        inserter.start();
        int seen = length();
        inserter.join();
        System.out.println(seen < 3);
    }
}
