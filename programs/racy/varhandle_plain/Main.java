import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A message by plain accesses of a VarHandle: they are accesses like any other, so flag and data race. */
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

    static void write() {
        data = 1; // race: writes data
        FLAG.set(1); // race: writes flag
    }

    static int read() {
        int seen = (int) FLAG.get(); // race: reads flag
        return seen + data; // race: reads data
    }

    public static void main(String[] arguments) throws InterruptedException {
        // What this initializes would order the two.
        FLAG.set((int) FLAG.get());
        Thread writer = new Thread(Main::write);
        writer.start();
        int seen = read();
        writer.join();
        System.out.println(seen < 3);
    }
}
