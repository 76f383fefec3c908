import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Atomic accesses of one thread do not excuse plain ones of another, whichever comes first. */
public class Main {
    private static final VarHandle RELEASED;
    private static final VarHandle COUNTED;
    private static final VarHandle READ;
    private static int released;
    private static long counted;
    private static Object read;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            RELEASED = lookup.findStaticVarHandle(Main.class, "released", int.class);
            COUNTED = lookup.findStaticVarHandle(Main.class, "counted", long.class);
            READ = lookup.findStaticVarHandle(Main.class, "read", Object.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    static void release() {
        RELEASED.setRelease(1); // race: writes released
    }

    static int readReleased() {
        return released; // race: reads released
    }

    static void count() {
        COUNTED.getAndAdd(1L); // race: writes counted
    }

    static void reset() {
        counted = 0; // race: writes counted
    }

    static boolean readAtomically() {
        return READ.getVolatile() == null; // race: reads read
    }

    static void write() {
        read = "read"; // race: writes read
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread atomic = new Thread(() -> {
            release();
            count();
            readAtomically();
        });
        atomic.start();
        int seen = readReleased();
        reset();
        write();
        atomic.join();
        System.out.println(seen < 2);
    }
}
