import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** A hook runs while other threads still do; it saves what one of them writes. The opaque flag orders nothing. */
public class Main {
    private static final AtomicBoolean WRITTEN = new AtomicBoolean();
    private static int state;

    static void work() {
        state = 1; // race: writes state
        WRITTEN.setOpaque(true);
        while (true) {
            LockSupport.park();
        }
    }

    static void hook() {
        System.out.println(state < 2); // race: reads state
    }

    public static void main(String[] arguments) {
        // What this initializes would order the two.
        WRITTEN.setOpaque(WRITTEN.getOpaque());
        LockSupport.parkNanos(1);
        Runtime.getRuntime().addShutdownHook(new Thread(Main::hook));
        new Thread(Main::work).start();
        while (!WRITTEN.getOpaque()) {
            Thread.onSpinWait();
        }
        System.exit(0);
    }
}
