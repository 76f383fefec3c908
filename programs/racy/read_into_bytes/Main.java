import java.io.ByteArrayInputStream;

/** A stream in memory reads into a buffer that another thread looks at. */
public class Main {
    private static final byte[] BUFFER = new byte[8];

    static void fill() {
        ByteArrayInputStream in = new ByteArrayInputStream(new byte[] {1, 2, 3, 4});
        in.read(BUFFER, 2, 4); // race: writes []
    }

    static int look() {
        return BUFFER[5]; // race: reads []
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread filler = new Thread(Main::fill);
        filler.start();
        int seen = look();
        filler.join();
        System.out.println(seen < 5);
    }
}
