import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Elements of atomic arrays hand data over. */
public class Main {
    private static final AtomicIntegerArray INTS = new AtomicIntegerArray(10);
    private static final AtomicLongArray LONGS = new AtomicLongArray(10);
    private static final AtomicReferenceArray<int[]> REFERENCES = new AtomicReferenceArray<>(10);
    private static final int[] BY_INT = new int[10];
    private static final int[] BY_LONG = new int[10];

    static void send() {
        for (int i = 0; i < 10; i++) {
            BY_INT[i] = i;
            INTS.incrementAndGet(i);
            BY_LONG[i] = 10 * i;
            LONGS.set(i, 1);
            int[] letter = new int[1];
            letter[0] = 100 * i;
            REFERENCES.compareAndSet(i, null, letter);
        }
    }

    static int receive() {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            while (INTS.get(i) == 0) {
                Thread.onSpinWait();
            }
            sum += BY_INT[i];
            while (LONGS.getAcquire(i) == 0) {
                Thread.onSpinWait();
            }
            sum += BY_LONG[i];
            while (REFERENCES.get(i) == null) {
                Thread.onSpinWait();
            }
            sum += REFERENCES.get(i)[0];
        }
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread sender = new Thread(Main::send);
        sender.start();
        int sum = receive();
        sender.join();
        System.out.println(sum);
    }
}
