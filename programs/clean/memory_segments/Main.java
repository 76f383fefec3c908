import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** Native segments and their slices synchronize by address, those of an array by its elements. */
public class Main {
    private static final VarHandle INTS = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONGS = ValueLayout.JAVA_LONG.varHandle();

    interface Reader {
        boolean isThere();
    }

    private static int data;

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

    static void through(MemorySegment segment) throws InterruptedException {
        MemorySegment part = segment.asSlice(64, 64), same = MemorySegment.ofAddress(segment.address()).reinterpret(128);
        MemorySegment again = segment.isNative() ? same : segment;
        handOver(() -> INTS.setVolatile(segment, 0L, 1), () -> (int) INTS.getVolatile(again, 0L) != 0);
        handOver(() -> LONGS.setRelease(segment, 64L, 1L), () -> (long) LONGS.getAcquire(part, 0L) != 0);
        handOver(() -> INTS.compareAndSet(part, 8L, 0, 1), () -> (int) INTS.getVolatile(segment, 72L) != 0);
        handOver(() -> LONGS.getAndAdd(part, 16L, 1L), () -> LONGS.compareAndSet(segment, 80L, 1L, 2L));
    }

    public static void main(String[] arguments) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            try (Arena arena = Arena.ofShared()) {
                through(arena.allocate(128, 8));
            }
        }
        through(Arena.ofAuto().allocate(128, 8));
        through(MemorySegment.ofArray(new long[16]));
        System.out.println(data);
    }
}
