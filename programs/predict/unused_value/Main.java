/** The reader does nothing with the value that it finds: so it may find another, come first, and then data races. */
public class Main {
    static final Object LOCK = new Object();
    static int value;
    static int data;
    static int copy;

    static void write() {
        data = 1;
        synchronized (LOCK) {
            value = 1;
        }
    }

    static void read() {
        synchronized (LOCK) {
            copy = value;
        }
        copy += data;
    }

    public static void main(String[] arguments) throws Exception {
        Thread writer = new Thread(Main::write);
        Thread reader = new Thread(() -> {
            pause();
            read();
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println(copy > 0);
    }

    /** Nothing that a trace has: the writer is done long before. */
    static void pause() {
        try {
            Thread.sleep(500);
        } catch (InterruptedException error) {
            throw new AssertionError(error);
        }
    }
}
