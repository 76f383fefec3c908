import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;

/** The byte goes into the pipe before the data is written. */
public class Main {
    private static int data;

    static void write(PipedOutputStream out) throws IOException {
        out.write(1);
        out.flush();
        data = 7; // race: writes data
    }

    static void read(PipedInputStream in) {
        try {
            if (in.read() + data > 8) { // race: reads data
                throw new AssertionError();
            }
        } catch (IOException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        PipedOutputStream out = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(out);
        Thread reader = new Thread(() -> read(in));
        reader.start();
        write(out);
        reader.join();
        System.out.println("read");
    }
}
