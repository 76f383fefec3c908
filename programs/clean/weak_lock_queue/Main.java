import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * The monitor of an object that only a weak reference knows, which is collected and made anew. The second thread hears
 * of it from the queue, or asks the reference; the first one goes on meanwhile and hands nothing over.
 */
public class Main {
    private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
    private static volatile WeakReference<Object> known;
    private static volatile boolean over;
    private static int data;

    static int use() {
        Object monitor = new Object();
        known = new WeakReference<>(monitor, QUEUE);
        synchronized (monitor) {
            return ++data;
        }
    }

    static boolean isGone(boolean byQueue) throws InterruptedException {
        return byQueue ? QUEUE.remove(10) != null : known.get() == null;
    }

    static void round(boolean byQueue) throws InterruptedException {
        known = null;
        over = false;
        Thread first = new Thread(() -> {
            use();
            while (!over) {
                Thread.onSpinWait();
            }
        });
        first.start();
        while (known == null) {
            Thread.onSpinWait();
        }
        do {
            System.gc();
        } while (!isGone(byQueue));
        System.out.println(use());
        over = true;
        first.join();
    }

    public static void main(String[] arguments) throws InterruptedException {
        round(true);
        round(false);
    }
}
