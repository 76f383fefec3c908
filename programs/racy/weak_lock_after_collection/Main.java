import java.lang.ref.WeakReference;
import java.util.concurrent.locks.ReentrantLock;

/** A collected lock orders what was done before the collection, and nothing that a thread does once it has handed something on. */
public class Main {
    private static volatile WeakReference<ReentrantLock> known;
    private static volatile boolean collected;
    private static int before;
    private static int own;
    private static int after;

    static void use() {
        ReentrantLock lock = new ReentrantLock();
        known = new WeakReference<>(lock);
        lock.lock();
        try {
            before++;
        } finally {
            lock.unlock();
        }
    }

    static void first() {
        use();
        while (known.get() != null) {
            System.gc();
            Thread.yield();
        }
        own++;
        collected = true;
        after++; // race: reads writes after
    }

    static void second() {
        while (!collected) {
            Thread.onSpinWait();
        }
        if (known.get() == null) {
            before++;
            after++; // race: reads writes after
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(Main::first);
        Thread second = new Thread(Main::second);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(before + " " + (after > 0));
    }
}
