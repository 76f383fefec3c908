import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PipedReader;
import java.io.PipedWriter;

/** Who has read a byte or a character from a pipe sees what was done before it was written. */
public class Main {
    private static final int[] DATA = new int[50];
    private static final int[] MORE = new int[50];

    static void write(PipedOutputStream out, PipedWriter writer) {
        try (out; writer) {
            for (int i = 0; i < DATA.length; i++) {
                DATA[i] = i;
                out.write(i);
                out.flush();
                MORE[i] = 2 * i;
                writer.write(i);
                writer.flush();
            }
        } catch (IOException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        PipedOutputStream out = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(out, 4);
        PipedWriter writer = new PipedWriter();
        PipedReader reader = new PipedReader(writer, 4);
        Thread other = new Thread(() -> write(out, writer));
        other.start();
        int sum = 0;
        for (int i = 0; i < DATA.length; i++) {
            sum += DATA[in.read()] + MORE[reader.read()];
        }
        other.join();
        System.out.println(sum);
    }
}
