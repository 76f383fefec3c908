import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Two threads read files into halves of one buffer; a stream that gives less than it was asked for writes no more. */
public class Main {
    private static final byte[] BUFFER = new byte[200];

    static int fill(Path path, int first, int most) {
        try (InputStream in = Files.newInputStream(path)) {
            int count = in.readNBytes(BUFFER, first, most);
            int none = in.read(BUFFER, 0, 200);
            return count + none;
        } catch (IOException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path path = Files.createTempFile("stream", "buffer");
        Files.write(path, new byte[100]);
        Thread other = new Thread(() -> fill(path, 0, 150));
        other.start();
        int count = fill(path, 100, 100);
        BUFFER[100]++;
        other.join();
        Files.delete(path);
        System.out.println(count + BUFFER[0] + BUFFER[100]);
    }
}
