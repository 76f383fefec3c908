import java.util.concurrent.atomic.AtomicIntegerArray;

/** The writer sets one element of an AtomicIntegerArray, the reader gets its neighbour: no order. */
public class Main {
    private static final AtomicIntegerArray FLAGS = new AtomicIntegerArray(2);
    private static int data;

    static void write() {
        data = 1; // race: writes data
        FLAGS.set(0, 1);
    }

    static int read() {
        return FLAGS.get(1) + data; // race: reads data
    }

    public static void main(String[] arguments) throws InterruptedException {
        // What this initializes would order the two.
        FLAGS.set(0, FLAGS.get(1));
        Thread writer = new Thread(Main::write);
        writer.start();
        int seen = read();
        writer.join();
        System.out.println(seen < 2);
    }
}
