import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A compareAndSet that fails has written nothing, so it hands nothing over. */
public class Main {
    private static final VarHandle FLAG;
    private static int flag;
    private static int data;

    static {
        try {
            FLAG = MethodHandles.lookup().findStaticVarHandle(Main.class, "flag", int.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    static boolean write() {
        data = 1; // race: writes data
        return FLAG.compareAndSet(7, 8);
    }

    static int read() {
        return (int) FLAG.getVolatile() + data; // race: reads data
    }

    public static void main(String[] arguments) throws InterruptedException {
        // What this initializes would order the two.
        FLAG.compareAndSet(7, (int) FLAG.getVolatile());
        Thread writer = new Thread(Main::write);
        writer.start();
        int seen = read();
        writer.join();
        System.out.println(seen < 2);
    }
}
