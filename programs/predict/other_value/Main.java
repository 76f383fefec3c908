/** The reader finds what only the writer has put there: so it comes after it, and nothing races. */
public class Main {
    static final Object LOCK = new Object();
    static Object current = "the one";
    static int data;

    static void write() {
        data = 1;
        synchronized (LOCK) {
            current = "another";
        }
    }

    static void read() {
        Object found;
        synchronized (LOCK) {
            found = current;
        }
        if (found == "another") {
            System.out.println(data >= 0);
        }
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
