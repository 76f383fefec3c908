import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Each element of an array is a message of its own: one is sent, another is looked at. */
public class Main {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int[] FLAGS = new int[8];
    private static int data;

    static void write() {
        data = 1; // race: writes data
        ELEMENT.setVolatile(FLAGS, 3, 1);
    }

    static int read() {
        int seen = (int) ELEMENT.getVolatile(FLAGS, 4);
        return seen + data; // race: reads data
    }

    public static void main(String[] arguments) throws InterruptedException {
        // What this initializes would order the two.
        ELEMENT.setVolatile(FLAGS, 0, (int) ELEMENT.getVolatile(FLAGS, 0));
        Thread writer = new Thread(Main::write);
        writer.start();
        int seen = read();
        writer.join();
        System.out.println(seen < 2);
    }
}
