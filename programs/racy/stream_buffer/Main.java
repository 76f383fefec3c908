import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file is read into a buffer that another thread reads, and written from one that another thread writes. */
public class Main {
    private static final byte[] INTO = new byte[20];
    private static final byte[] FROM = new byte[100];

    static int input(RandomAccessFile file) throws IOException {
        return file.read(INTO, 5, 10); // race: writes []
    }

    static int look() {
        return INTO[5]; // race: reads []
    }

    static void output(RandomAccessFile file) throws IOException {
        file.write(FROM, 20, 70); // race: reads []
    }

    static void change() {
        FROM[89] = 1; // race: writes []
    }

    public static void main(String[] arguments) throws Exception {
        Path path = Files.createTempFile("stream", "buffer");
        Files.write(path, new byte[50]);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            Thread other = new Thread(() -> {
                look();
                change();
            });
            other.start();
            int read = input(file);
            output(file);
            other.join();
            System.out.println(read + new ByteArrayOutputStream().size());
        } finally {
            Files.delete(path);
        }
    }
}
