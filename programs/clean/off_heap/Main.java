import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import sun.misc.Unsafe;

/** Synchronization on memory off the heap, by address: Unsafe without an object, views of direct buffers. */
public class Main {
    private static final Unsafe UNSAFE;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class, ORDER);
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ORDER);

    static {
        try {
            Field unsafe = Unsafe.class.getDeclaredField("theUnsafe");
            unsafe.setAccessible(true);
            UNSAFE = (Unsafe) unsafe.get(null);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    interface Reader {
        boolean isThere();
    }

    private static int data;

    /** The second thread waits until it sees what the first one wrote, and then uses the data. */
    static void handOver(Runnable write, Reader read) throws InterruptedException {
        Thread writer = new Thread(() -> {
            data++;
            write.run();
        });
        Thread reader = new Thread(() -> {
            while (!read.isThere()) {
                Thread.onSpinWait();
            }
            data++;
        });
        reader.start();
        writer.start();
        writer.join();
        reader.join();
    }

    static void byAddress() throws InterruptedException {
        long at = UNSAFE.allocateMemory(256);
        UNSAFE.setMemory(at, 256, (byte) 0);
        handOver(() -> UNSAFE.putIntVolatile(null, at, 1), () -> UNSAFE.getIntVolatile(null, at) != 0);
        handOver(() -> UNSAFE.putOrderedLong(null, at + 8, 1), () -> UNSAFE.getLongVolatile(null, at + 8) != 0);
        handOver(() -> UNSAFE.compareAndSwapInt(null, at + 16, 0, 1), () -> UNSAFE.compareAndSwapInt(null, at + 16, 1, 2));
        handOver(() -> UNSAFE.getAndAddLong(null, at + 24, 1), () -> UNSAFE.getAndAddLong(null, at + 24, 0) != 0);
        int[] guarded = new int[1];
        Runnable locked = () -> {
            for (int i = 0; i < 100; i++) {
                while (!UNSAFE.compareAndSwapInt(null, at + 128, 0, 1)) {
                    Thread.onSpinWait();
                }
                guarded[0]++;
                UNSAFE.putOrderedInt(null, at + 128, 0);
            }
        };
        Thread one = new Thread(locked), two = new Thread(locked);
        one.start();
        two.start();
        one.join();
        two.join();
        data += guarded[0];
        UNSAFE.freeMemory(at);
    }

    static void buffers(ByteBuffer buffer) throws InterruptedException {
        ByteBuffer part = buffer.slice(64, 64), whole = buffer.duplicate();
        handOver(() -> INTS.setVolatile(buffer, 0, 1), () -> (int) INTS.getVolatile(whole, 0) != 0);
        handOver(() -> LONGS.setRelease(buffer, 64, 1L), () -> (long) LONGS.getAcquire(part, 0) != 0);
        handOver(() -> INTS.compareAndSet(part, 8, 0, 1), () -> (int) INTS.getVolatile(buffer, 72) != 0);
        handOver(() -> LONGS.getAndAdd(part, 16, 1L), () -> LONGS.compareAndSet(buffer, 80, 1L, 2L));
        // Written as a whole, read in part.
        handOver(() -> LONGS.setVolatile(buffer, 96, -1L), () -> (int) INTS.getVolatile(buffer, 100) != 0);
    }

    /** Memory is freed and used again, while a neighbour stays. */
    static void again() throws InterruptedException {
        long kept = UNSAFE.allocateMemory(16);
        for (int i = 0; i < 20; i++) {
            long at = UNSAFE.allocateMemory(16 + i * 100);
            UNSAFE.putInt(at, 0);
            UNSAFE.putInt(kept, 0);
            handOver(() -> {
                UNSAFE.putIntVolatile(null, at, 1);
                UNSAFE.putIntVolatile(null, kept, 1);
            }, () -> UNSAFE.getIntVolatile(null, at) != 0);
            UNSAFE.freeMemory(i % 2 == 0 ? at : UNSAFE.reallocateMemory(at, 4000));
            handOver(() -> UNSAFE.putIntVolatile(null, kept, 2), () -> UNSAFE.getIntVolatile(null, kept) == 2);
        }
        UNSAFE.freeMemory(kept);
    }

    public static void main(String[] arguments) throws InterruptedException {
        byAddress();
        buffers(ByteBuffer.allocateDirect(256));
        long[] words = new long[8];
        long first = Unsafe.ARRAY_LONG_BASE_OFFSET;
        handOver(() -> UNSAFE.putOrderedLong(words, first, 1), () -> UNSAFE.getLongVolatile(words, first) != 0);
        again();
        System.out.println(data);
    }
}
