import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Volatile accesses by VarHandle, of a static and of an instance field, and of a volatile field by its name too. */
public class Main {
    private static final VarHandle TURN;
    private static final VarHandle MAIL;
    private static final VarHandle READY;
    private static int turn;
    private Object mail;
    private volatile boolean ready;
    private int byTurn;
    private int byReady;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TURN = lookup.findStaticVarHandle(Main.class, "turn", int.class);
            MAIL = lookup.findVarHandle(Main.class, "mail", Object.class);
            READY = lookup.findVarHandle(Main.class, "ready", boolean.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    void write() {
        byTurn = 1;
        TURN.setVolatile(1);
        MAIL.setVolatile(this, new int[] {2});
        byReady = 3;
        READY.setVolatile(this, true);
    }

    int read() {
        while ((int) TURN.getVolatile() == 0) {
            Thread.onSpinWait();
        }
        int sum = byTurn;
        Object seen;
        while ((seen = MAIL.getVolatile(this)) == null) {
            Thread.onSpinWait();
        }
        sum += ((int[]) seen)[0];
        while (!ready) {
            Thread.onSpinWait();
        }
        return sum + byReady;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread writer = new Thread(main::write);
        writer.start();
        int seen = main.read();
        writer.join();
        System.out.println(seen);
    }
}
