import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A sequence lock with opaque data: a reader that saw a writer in between reads again. */
public class Main {
    private static final VarHandle X;
    private static final VarHandle Y;
    private volatile int sequence;
    private int x;
    private int y;

    static {
        try {
            X = MethodHandles.lookup().findVarHandle(Main.class, "x", int.class);
            Y = MethodHandles.lookup().findVarHandle(Main.class, "y", int.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    void write() {
        for (int i = 1; i <= 500; i++) {
            int before = sequence;
            sequence = before + 1;
            VarHandle.storeStoreFence();
            X.setOpaque(this, i);
            Y.setOpaque(this, -i);
            sequence = before + 2;
        }
    }

    int read() {
        while (true) {
            int before = sequence;
            int sum = (int) X.getOpaque(this) + (int) Y.getOpaque(this);
            VarHandle.loadLoadFence();
            if (before % 2 == 0 && sequence == before) {
                return sum;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread writer = new Thread(main::write);
        writer.start();
        int sum = 0;
        for (int i = 0; i < 500; i++) {
            sum += main.read();
        }
        writer.join();
        System.out.println(sum);
    }
}
