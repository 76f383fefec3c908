import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Native code reads a file into a buffer that another thread looks at. */
public class Main {
    private static final byte[] BUFFER = new byte[8];

    static void fill(Path file) {
        try (FileInputStream in = new FileInputStream(file.toFile())) {
            in.read(BUFFER, 2, 4); // race: writes []
        } catch (IOException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    static int look() {
        return BUFFER[2]; // race: reads []
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path file = Files.createTempFile("bytes", null);
        Files.write(file, new byte[] {1, 2, 3, 4});
        Thread filler = new Thread(() -> fill(file));
        filler.start();
        int seen = look();
        filler.join();
        Files.delete(file);
        System.out.println(seen < 2);
    }
}
