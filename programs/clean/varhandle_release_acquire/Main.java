import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A message by setRelease and getAcquire of a field that is not volatile. */
public class Main {
    private static final VarHandle FLAG;
    private boolean flag;
    private int data;

    static {
        try {
            FLAG = MethodHandles.lookup().findVarHandle(Main.class, "flag", boolean.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    void write() {
        data = 1;
        FLAG.setRelease(this, true);
    }

    int read() {
        while (!(boolean) FLAG.getAcquire(this)) {
            Thread.onSpinWait();
        }
        return data;
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
