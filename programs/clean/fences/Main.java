import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import sun.misc.Unsafe;

/** Fences beside opaque accesses hand data over: VarHandle's and Unsafe's, for an object, for any location, and mixed. */
public class Main {
    private static final VarHandle FLAG, ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final Unsafe UNSAFE;
    private static int flag;
    private static final int[] ELEMENTS = new int[8];

    static {
        try {
            FLAG = MethodHandles.lookup().findStaticVarHandle(Main.class, "flag", int.class);
            Field unsafe = Unsafe.class.getDeclaredField("theUnsafe");
            unsafe.setAccessible(true);
            UNSAFE = (Unsafe) unsafe.get(null);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    /** A sequence as LMAX Disruptor has it, but opaque: fences in methods that access nothing but the object. */
    static final class Sequence {
        private static final VarHandle VALUE;
        private int value;

        static {
            try {
                VALUE = MethodHandles.lookup().findVarHandle(Sequence.class, "value", int.class);
            } catch (ReflectiveOperationException unexpected) {
                throw new ExceptionInInitializerError(unexpected);
            }
        }

        void set(int to) {
            VarHandle.releaseFence();
            VALUE.setOpaque(this, to);
        }

        int get() {
            int seen = (int) VALUE.getOpaque(this);
            VarHandle.acquireFence();
            return seen;
        }

        void setWithoutFence(int to) {
            VALUE.setOpaque(this, to);
        }

        int getWithoutFence() {
            return (int) VALUE.getOpaque(this);
        }

        /** A fence in an instance method, but for whatever the caller accesses. */
        void publish() {
            VarHandle.releaseFence();
        }

        void observe() {
            VarHandle.acquireFence();
        }
    }

    interface Reader {
        int read();
    }

    private static int data;

    /** The second thread waits until it sees what the first one wrote, and then uses the data. */
    static void handOver(Runnable write, Reader read) throws InterruptedException {
        int[] sum = new int[1];
        Thread writer = new Thread(() -> {
            data = 7;
            write.run();
        });
        Thread reader = new Thread(() -> {
            while (read.read() == 0) {
                Thread.onSpinWait();
            }
            sum[0] = data;
        });
        reader.start();
        writer.start();
        writer.join();
        reader.join();
        if (sum[0] != 7) {
            throw new AssertionError();
        }
        FLAG.setVolatile(0);
        ELEMENT.setVolatile(ELEMENTS, 3, 0);
    }

    static void publish() {
        VarHandle.releaseFence();
    }

    static void observe() {
        VarHandle.acquireFence();
    }

    static int flagThen(Runnable fence) {
        int seen = (int) FLAG.getOpaque();
        fence.run();
        return seen;
    }

    static void anyLocation() throws InterruptedException {
        handOver(() -> {
            VarHandle.releaseFence();
            FLAG.setOpaque(1);
        }, () -> {
            int seen = (int) FLAG.getOpaque();
            VarHandle.acquireFence();
            return seen;
        });
        handOver(() -> {
            publish();
            FLAG.setOpaque(1);
        }, () -> flagThen(Main::observe));
        handOver(() -> {
            VarHandle.storeStoreFence();
            FLAG.setOpaque(1);
        }, () -> flagThen(() -> VarHandle.loadLoadFence()));
        handOver(() -> {
            VarHandle.fullFence();
            FLAG.setOpaque(1);
        }, () -> flagThen(Main::fullFence));
        handOver(() -> {
            VarHandle.releaseFence();
            ELEMENT.setOpaque(ELEMENTS, 3, 1);
        }, () -> {
            int seen = (int) ELEMENT.getOpaque(ELEMENTS, 3);
            VarHandle.acquireFence();
            return seen;
        });
    }

    static void fullFence() {
        VarHandle.fullFence();
    }

    static void unsafeFences() throws InterruptedException {
        handOver(() -> {
            UNSAFE.storeFence();
            FLAG.setOpaque(1);
        }, () -> {
            int seen = (int) FLAG.getOpaque();
            UNSAFE.loadFence();
            return seen;
        });
        handOver(() -> {
            UNSAFE.fullFence();
            FLAG.setOpaque(1);
        }, () -> {
            int seen = (int) FLAG.getOpaque();
            UNSAFE.fullFence();
            return seen;
        });
    }

    static void ofObjects() throws InterruptedException {
        Sequence one = new Sequence(), two = new Sequence(), three = new Sequence(), four = new Sequence();
        handOver(() -> one.set(1), one::get);
        // The release is for the object, the acquire for any location; then the other way round.
        handOver(() -> two.set(1), () -> {
            int seen = two.getWithoutFence();
            VarHandle.acquireFence();
            return seen;
        });
        handOver(() -> {
            VarHandle.releaseFence();
            three.setWithoutFence(1);
        }, three::get);
        handOver(() -> {
            four.publish();
            four.setWithoutFence(1);
        }, () -> {
            int seen = four.getWithoutFence();
            four.observe();
            return seen;
        });
        // The fence is for all writes after it.
        Sequence five = new Sequence(), six = new Sequence();
        handOver(() -> {
            five.set(1);
            six.setWithoutFence(1);
        }, () -> {
            int seen = six.getWithoutFence();
            VarHandle.acquireFence();
            return seen;
        });
    }

    private static final VarHandle VOLATILE;
    private static volatile int ordered;

    static {
        try {
            VOLATILE = MethodHandles.lookup().findStaticVarHandle(Main.class, "ordered", int.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    static int then(int seen) {
        VarHandle.acquireFence();
        return seen;
    }

    /** A fence on one side, an ordered access on the other. */
    static void withOrderedAccesses() throws InterruptedException {
        handOver(() -> FLAG.setRelease(1), () -> then((int) FLAG.getOpaque()));
        handOver(() -> FLAG.compareAndSet(0, 1), () -> then((int) FLAG.getOpaque()));
        handOver(() -> ELEMENT.setVolatile(ELEMENTS, 3, 1), () -> then((int) ELEMENT.getOpaque(ELEMENTS, 3)));
        handOver(() -> ordered = 1, () -> then((int) VOLATILE.getOpaque()));
        ordered = 0;
        handOver(() -> {
            VarHandle.releaseFence();
            FLAG.setOpaque(1);
        }, () -> (int) FLAG.getAcquire());
        handOver(() -> {
            VarHandle.releaseFence();
            FLAG.setOpaque(1);
        }, () -> FLAG.compareAndSet(1, 2) ? 1 : 0);
        handOver(() -> {
            VarHandle.releaseFence();
            ELEMENT.setOpaque(ELEMENTS, 3, 1);
        }, () -> (int) ELEMENT.getVolatile(ELEMENTS, 3));
        handOver(() -> {
            VarHandle.releaseFence();
            VOLATILE.setOpaque(1);
        }, () -> ordered);
        Sequence one = new Sequence(), two = new Sequence();
        handOver(() -> Sequence.VALUE.compareAndSet(one, 0, 1), one::get);
        handOver(() -> two.set(1), () -> (int) Sequence.VALUE.getAcquire(two));
        long at = UNSAFE.allocateMemory(16);
        UNSAFE.setMemory(at, 16, (byte) 0);
        handOver(() -> UNSAFE.putOrderedInt(null, at, 1), () -> then(UNSAFE.getInt(null, at)));
        handOver(() -> {
            VarHandle.releaseFence();
            UNSAFE.putInt(null, at + 8, 1);
        }, () -> UNSAFE.getIntVolatile(null, at + 8));
        UNSAFE.freeMemory(at);
    }

    /** What one thread took over it hands on. */
    static void chain() throws InterruptedException {
        Sequence first = new Sequence(), second = new Sequence();
        Thread between = new Thread(() -> {
            while (first.get() == 0) {
                Thread.onSpinWait();
            }
            second.set(1);
        });
        between.start();
        handOver(() -> first.set(1), second::get);
        between.join();
    }

    public static void main(String[] arguments) throws InterruptedException {
        anyLocation();
        unsafeFences();
        ofObjects();
        withOrderedAccesses();
        chain();
        System.out.println("handed over");
    }
}
