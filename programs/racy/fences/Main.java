import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;

/** Fences that order less than the program needs. A plain field beside fences races itself, and what it hands over does not. */
public class Main {
    private static final VarHandle FLAG;
    private static int flag;

    static {
        try {
            FLAG = MethodHandles.lookup().findStaticVarHandle(Main.class, "flag", int.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    /** As LMAX Disruptor has it. */
    static final class Sequence {
        private long value;

        void set(long to) {
            VarHandle.releaseFence();
            value = to; // race: writes value
        }

        long get() {
            long seen = value; // race: reads value
            VarHandle.acquireFence();
            return seen;
        }
    }

    /** Opaque, so that it does not race itself. */
    static final class Opaque {
        private static final VarHandle VALUE;
        private long value;

        static {
            try {
                VALUE = MethodHandles.lookup().findVarHandle(Opaque.class, "value", long.class);
            } catch (ReflectiveOperationException unexpected) {
                throw new ExceptionInInitializerError(unexpected);
            }
        }

        void set(long to) {
            VarHandle.releaseFence();
            VALUE.setOpaque(this, to);
        }

        long get() {
            long seen = (long) VALUE.getOpaque(this);
            VarHandle.acquireFence();
            return seen;
        }
    }

    /** Plain on one side, ordered on the other. */
    static final class Mixed {
        private static final VarHandle VALUE;
        private long value;

        static {
            try {
                VALUE = MethodHandles.lookup().findVarHandle(Mixed.class, "value", long.class);
            } catch (ReflectiveOperationException unexpected) {
                throw new ExceptionInInitializerError(unexpected);
            }
        }

        void set(long to) {
            VarHandle.releaseFence();
            value = to; // race: writes value
        }

        long getAcquire() {
            return (long) VALUE.getAcquire(this); // race: reads value
        }

        boolean compareAndSet(long to) {
            return VALUE.compareAndSet(this, 0L, to); // race: writes value
        }

        long get() {
            long seen = value; // race: reads value
            VarHandle.acquireFence();
            return seen;
        }
    }

    /** The release is not in the method that writes. */
    static void publish(Mixed mixed) {
        VarHandle.releaseFence();
        mixed.value = 1; // race: writes value
    }

    /** The acquire is not in the method that reads. */
    static long observe(Mixed mixed) {
        long seen = mixed.value; // race: reads value
        VarHandle.acquireFence();
        return seen;
    }

    /** The second thread goes on when the first one is through, which orders nothing: an opaque flag would, beside fences. */
    static void run(Runnable first, Runnable second) throws InterruptedException {
        Thread two = new Thread(() -> {
            LockSupport.park();
            second.run();
        });
        Thread one = new Thread(() -> {
            first.run();
            LockSupport.unpark(two);
        });
        two.start();
        one.start();
        one.join();
        two.join();
    }

    interface Reader {
        long read();
    }

    /** The second thread waits for what it is handed. */
    static void handOver(Runnable write, Reader read) throws InterruptedException {
        Thread two = new Thread(() -> {
            while (read.read() == 0) {
                Thread.onSpinWait();
            }
            seen = handedOver;
        });
        Thread one = new Thread(() -> {
            handedOver++;
            write.run();
        });
        two.start();
        one.start();
        one.join();
        two.join();
    }

    private static int handedOver, late, unacquired, unreleased, elsewhere, inJdk;
    private static long seen;

    static void writeLate() {
        late = 1; // race: writes late
    }

    static long readLate() {
        return late; // race: reads late
    }

    static void writeUnacquired() {
        unacquired = 1; // race: writes unacquired
        VarHandle.releaseFence();
        FLAG.setOpaque(1);
    }

    static long readUnacquired() {
        return (int) FLAG.getOpaque() + unacquired; // race: reads unacquired
    }

    static void writeUnreleased() {
        unreleased = 1; // race: writes unreleased
        FLAG.setOpaque(2);
    }

    static long readUnreleased() {
        int now = (int) FLAG.getOpaque();
        VarHandle.acquireFence();
        return now + unreleased; // race: reads unreleased
    }

    static void writeElsewhere() {
        elsewhere = 1; // race: writes elsewhere
    }

    static long readElsewhere() {
        return elsewhere; // race: reads elsewhere
    }

    static void writeInJdk() {
        inJdk = 1; // race: writes inJdk
    }

    static long readInJdk() {
        return inJdk; // race: reads inJdk
    }

    public static void main(String[] arguments) throws InterruptedException {
        Sequence plain = new Sequence();
        Opaque one = new Opaque(), two = new Opaque(), three = new Opaque();
        // What the first uses initialize would order the threads, and so would the first fences.
        FLAG.setOpaque((int) FLAG.getOpaque());
        one.set(one.get());
        VarHandle.acquireFence();
        handOver(() -> plain.set(1), plain::get);
        Mixed[] mixed = {new Mixed(), new Mixed(), new Mixed(), new Mixed()};
        mixed[0].compareAndSet(mixed[0].getAcquire());
        handOver(() -> mixed[0].set(1), mixed[0]::getAcquire);
        handOver(() -> mixed[1].compareAndSet(1), mixed[1]::get);
        handOver(() -> publish(mixed[2]), mixed[2]::getAcquire);
        handOver(() -> mixed[3].compareAndSet(1), () -> observe(mixed[3]));
        run(() -> {
            one.set(1);
            writeLate();
        }, () -> seen = one.get() + readLate());
        run(Main::writeUnacquired, () -> seen = readUnacquired());
        run(Main::writeUnreleased, () -> seen = readUnreleased());
        run(() -> {
            writeElsewhere();
            two.set(1);
        }, () -> seen = three.get() + readElsewhere());
        ConcurrentSkipListMap<Integer, Integer> mine = new ConcurrentSkipListMap<>(), yours = new ConcurrentSkipListMap<>();
        mine.put(1, 1);
        yours.put(1, 1);
        run(() -> {
            writeInJdk();
            mine.put(2, 2);
        }, () -> seen = yours.get(1) + readInJdk());
        System.out.println(handedOver);
    }
}
