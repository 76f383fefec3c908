import java.lang.ref.WeakReference;
import java.util.concurrent.locks.ReentrantLock;

/** A lock that a weak reference knows is still there after a collection, and another one is used all the same. */
public class Main {
    private static final ReentrantLock KEPT = new ReentrantLock();
    private static final WeakReference<ReentrantLock> KNOWN = new WeakReference<>(KEPT);
    private static int data;

    static void useOld() {
        ReentrantLock lock = KNOWN.get();
        lock.lock();
        try {
            data++; // race: reads writes data
        } finally {
            lock.unlock();
        }
    }

    static void useNew() {
        System.gc();
        if (KNOWN.get() == null || KNOWN.refersTo(null)) {
            throw new AssertionError("it is kept");
        }
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        try {
            data++; // race: reads writes data
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(Main::useOld);
        Thread second = new Thread(Main::useNew);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(data > 0 && KEPT != null);
    }
}
