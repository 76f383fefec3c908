import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A lock made of compareAndSet: success acquires, setRelease releases, failure only looks. */
public class Main {
    private static final VarHandle LOCKED;
    private boolean locked;
    private int count;

    static {
        try {
            LOCKED = MethodHandles.lookup().findVarHandle(Main.class, "locked", boolean.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    void count() {
        for (int i = 0; i < 100; i++) {
            while (!(i % 2 == 0
                    ? LOCKED.compareAndSet(this, false, true)
                    : LOCKED.weakCompareAndSetAcquire(this, false, true))) {
                Thread.onSpinWait();
            }
            count++;
            LOCKED.setRelease(this, false);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread other = new Thread(main::count);
        other.start();
        main.count();
        other.join();
        System.out.println(main.count);
    }
}
