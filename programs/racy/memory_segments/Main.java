import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Segments that hand over less than the program needs: another address, and opaque mode. */
public class Main {
    private static final VarHandle INTS = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle STEP;
    private static int step;

    static {
        try {
            STEP = MethodHandles.lookup().findStaticVarHandle(Main.class, "step", int.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    private static int rounds;
    private static int seen;

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

    private static int elsewhere, opaque;

    static void writeElsewhere() {
        elsewhere = 1; // race: writes elsewhere
    }

    static int readElsewhere() {
        return elsewhere; // race: reads elsewhere
    }

    static void writeOpaque() {
        opaque = 1; // race: writes opaque
    }

    static int readOpaque() {
        return opaque; // race: reads opaque
    }

    public static void main(String[] arguments) throws InterruptedException {
        STEP.setOpaque((int) STEP.getOpaque());
        try (Arena arena = Arena.ofShared()) {
            MemorySegment segment = arena.allocate(128, 8);
            INTS.setVolatile(segment, 0L, (int) INTS.getVolatile(segment, 0L));
            INTS.setOpaque(segment, 0L, 0);
            run(() -> {
                writeElsewhere();
                INTS.setVolatile(segment, 0L, 1);
            }, () -> seen = (int) INTS.getVolatile(segment, 64L) + readElsewhere());
            run(() -> {
                writeOpaque();
                INTS.setOpaque(segment, 32L, 1);
            }, () -> seen = (int) INTS.getVolatile(segment, 32L) + readOpaque());
        }
        System.out.println("done");
    }
}
