import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A flag set and read in opaque mode does not race itself, but hands nothing over. */
public class Main {
    private static final VarHandle FLAG;
    private static boolean flag;
    private static int data;

    static {
        try {
            FLAG = MethodHandles.lookup().findStaticVarHandle(Main.class, "flag", boolean.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    static void write() {
        data = 1; // race: writes data
        FLAG.setOpaque(true);
    }

    static int read() {
        while (!(boolean) FLAG.getOpaque()) {
            Thread.onSpinWait();
        }
        return data; // race: reads data
    }

    public static void main(String[] arguments) throws InterruptedException {
        // What this initializes would order the two.
        FLAG.setOpaque((boolean) FLAG.getOpaque());
        Thread writer = new Thread(Main::write);
        writer.start();
        int seen = read();
        writer.join();
        System.out.println(seen < 2);
    }
}
