import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/** Fields set and got by method handles: plain ones under a lock, a volatile one as a message. */
public class Main {
    private static final MethodHandle SET_COUNT;
    private static final MethodHandle GET_COUNT;
    private static final MethodHandle SET_READY;
    private static final MethodHandle GET_READY;
    private static int count;
    private volatile boolean ready;
    private int data;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SET_COUNT = lookup.findStaticSetter(Main.class, "count", int.class);
            GET_COUNT = lookup.findStaticGetter(Main.class, "count", int.class);
            SET_READY = lookup.findSetter(Main.class, "ready", boolean.class);
            GET_READY = lookup.findGetter(Main.class, "ready", boolean.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    static void count() {
        try {
            for (int i = 0; i < 50; i++) {
                synchronized (SET_COUNT) {
                    SET_COUNT.invokeExact((int) GET_COUNT.invokeExact() + 1);
                }
            }
        } catch (Throwable unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    void send() {
        data = 7;
        try {
            SET_READY.invokeExact(this, true);
        } catch (Throwable unexpected) {
            throw new AssertionError(unexpected);
        }
        count();
    }

    int receive() {
        try {
            while (!(boolean) GET_READY.invokeExact(this)) {
                Thread.onSpinWait();
            }
        } catch (Throwable unexpected) {
            throw new AssertionError(unexpected);
        }
        return data;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread other = new Thread(main::send);
        other.start();
        int seen = main.receive();
        count();
        other.join();
        System.out.println(seen + count);
    }
}
