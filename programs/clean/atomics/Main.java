import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicStampedReference;

/** Data handed over by atomics of each class, and a spin lock made of one. */
public class Main {
    static final class Box {
        int value;
    }

    private static final AtomicInteger INT = new AtomicInteger();
    private static final AtomicLong LONG = new AtomicLong();
    private static final AtomicBoolean BOOLEAN = new AtomicBoolean();
    private static final AtomicReference<Box> REFERENCE = new AtomicReference<>();
    private static final AtomicStampedReference<Box> STAMPED = new AtomicStampedReference<>(null, 0);
    private static final AtomicMarkableReference<Box> MARKABLE = new AtomicMarkableReference<>(null, false);
    private static final AtomicBoolean SPIN = new AtomicBoolean();
    private static int byInt;
    private static int byLong;
    private static int byBoolean;
    private static int count;

    static Box box(int value) {
        Box box = new Box();
        box.value = value;
        return box;
    }

    static void send() {
        byInt = 1;
        INT.incrementAndGet();
        byLong = 2;
        LONG.lazySet(1);
        byBoolean = 3;
        BOOLEAN.compareAndSet(false, true);
        REFERENCE.getAndSet(box(4));
        STAMPED.compareAndSet(null, box(5), 0, 1);
        MARKABLE.set(box(6), true);
    }

    static int receive() {
        while (INT.get() == 0) {
            Thread.onSpinWait();
        }
        int sum = byInt;
        while (LONG.getAcquire() == 0) {
            Thread.onSpinWait();
        }
        sum += byLong;
        while (!BOOLEAN.get()) {
            Thread.onSpinWait();
        }
        sum += byBoolean;
        while (REFERENCE.get() == null) {
            Thread.onSpinWait();
        }
        sum += REFERENCE.get().value;
        while (STAMPED.getStamp() == 0) {
            Thread.onSpinWait();
        }
        sum += STAMPED.getReference().value;
        while (!MARKABLE.isMarked()) {
            Thread.onSpinWait();
        }
        return sum + MARKABLE.getReference().value;
    }

    static void count() {
        for (int i = 0; i < 100; i++) {
            while (!SPIN.compareAndSet(false, true)) {
                Thread.onSpinWait();
            }
            count++;
            SPIN.set(false);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread sender = new Thread(() -> {
            send();
            count();
        });
        sender.start();
        int sum = receive();
        count();
        sender.join();
        System.out.println(sum + " " + count);
    }
}
