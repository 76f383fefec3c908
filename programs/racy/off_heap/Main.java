import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import sun.misc.Unsafe;

/** Memory off the heap that hands over less than the program needs: another address, no order, too early. */
public class Main {
    private static final Unsafe UNSAFE;
    private static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle STEP;
    private static int step;

    static {
        try {
            Field unsafe = Unsafe.class.getDeclaredField("theUnsafe");
            unsafe.setAccessible(true);
            UNSAFE = (Unsafe) unsafe.get(null);
            STEP = MethodHandles.lookup().findStaticVarHandle(Main.class, "step", int.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    private static int rounds;
    private static int seen;

    /** The second thread goes on when the first one is through, which nothing orders. */
    static void run(Runnable first, Runnable second) throws InterruptedException {
        int round = ++rounds;
        Thread one = new Thread(() -> {
            first.run();
            STEP.setOpaque(round);
        });
        Thread two = new Thread(() -> {
            while ((int) STEP.getOpaque() != round) {
                Thread.onSpinWait();
            }
            second.run();
        });
        one.start();
        two.start();
        one.join();
        two.join();
    }

    private static int elsewhere, late, opaque, failed, freed;

    static void writeElsewhere() {
        elsewhere = 1; // race: writes elsewhere
    }

    static int readElsewhere() {
        return elsewhere; // race: reads elsewhere
    }

    static void writeLate() {
        late = 1; // race: writes late
    }

    static int readLate() {
        return late; // race: reads late
    }

    static void writeOpaque() {
        opaque = 1; // race: writes opaque
    }

    static int readOpaque() {
        return opaque; // race: reads opaque
    }

    static void writeFailed() {
        failed = 1; // race: writes failed
    }

    static int readFailed() {
        return failed; // race: reads failed
    }

    static void writeFreed() {
        freed = 1; // race: writes freed
    }

    static int readFreed() {
        return freed; // race: reads freed
    }

    static void move(long[] moved) {
        long to = UNSAFE.reallocateMemory(moved[0], 64); // race: reads []
        moved[0] = to; // race: writes []
    }

    static long address(long[] moved) {
        return moved[0]; // race: reads []
    }

    public static void main(String[] arguments) throws InterruptedException {
        STEP.setOpaque((int) STEP.getOpaque());
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        INTS.setOpaque(buffer, 0, (int) INTS.getVolatile(buffer, 0));
        INTS.setVolatile(buffer, 0, 0);
        INTS.compareAndSet(buffer, 0, 5, 6);
        long at = UNSAFE.allocateMemory(64);
        UNSAFE.setMemory(at, 64, (byte) 0);
        run(() -> {
            writeElsewhere();
            UNSAFE.putIntVolatile(null, at, 1);
        }, () -> seen = UNSAFE.getIntVolatile(null, at + 32) + readElsewhere());
        run(() -> {
            UNSAFE.putIntVolatile(null, at, 1);
            writeLate();
        }, () -> seen = UNSAFE.getIntVolatile(null, at) + readLate());
        run(() -> {
            writeOpaque();
            INTS.setOpaque(buffer, 16, 1);
        }, () -> seen = (int) INTS.getVolatile(buffer, 16) + readOpaque());
        run(() -> {
            writeFailed();
            INTS.compareAndSet(buffer, 32, 5, 6);
        }, () -> seen = (int) INTS.getVolatile(buffer, 32) + readFailed());
        long[] moved = {at};
        run(() -> {
            writeFreed();
            UNSAFE.putIntVolatile(null, at + 48, 1);
            // What was handed over there goes with the memory, which may well stay where it is.
            move(moved);
        }, () -> seen = UNSAFE.getIntVolatile(null, address(moved) + 48) + readFreed());
        UNSAFE.freeMemory(moved[0]);
        System.out.println("done");
    }
}
