import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A field that is not volatile: atomic accesses at once, plain ones before and after, and after what was acquired. */
public class Main {
    private static final VarHandle COUNT;
    private static final VarHandle STATE;
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long[] ELEMENTS = new long[100];
    private int count = 3;
    private int state = -1;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(Main.class, "count", int.class);
            STATE = MethodHandles.lookup().findVarHandle(Main.class, "state", int.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    void work() {
        for (int i = 0; i < 1000; i++) {
            COUNT.getAndAdd(this, 1);
            ELEMENT.getAndAdd(ELEMENTS, i % ELEMENTS.length, 1L);
            COUNT.setOpaque(this, (int) COUNT.getOpaque(this) + 1);
            while (!COUNT.weakCompareAndSetPlain(this, (int) COUNT.getAcquire(this), i)) {
                Thread.onSpinWait();
            }
        }
    }

    void send() {
        work();
        STATE.setRelease(this, 7);
    }

    int receive() {
        while ((int) STATE.getAcquire(this) != 7) {
            Thread.onSpinWait();
        }
        return state;
    }

    public static void main(String[] arguments) throws InterruptedException {
        ELEMENTS[5] = 1;
        Main main = new Main();
        Thread other = new Thread(main::send);
        other.start();
        main.work();
        int state = main.receive();
        other.join();
        main.count = 1;
        System.out.println(main.count + state + (ELEMENTS[5] > 1 ? 1 : 0));
    }
}
