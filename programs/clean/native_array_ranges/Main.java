import java.io.ByteArrayInputStream;
import java.util.Arrays;

/** Two threads copy, fill, clone and read into the halves of the same arrays, and only one looks at all in the end. */
public class Main {
    private static final int HALF = 37;
    private static final int[] INTS = new int[2 * HALF];
    private static final Object[] OBJECTS = new Object[2 * HALF];
    private static final byte[] BYTES = new byte[2 * HALF];
    private static final int[] FROM = new int[HALF];

    static void work(int first) {
        for (int round = 0; round < 20; round++) {
            Arrays.fill(INTS, first, first + HALF, 1);
            System.arraycopy(FROM, 0, INTS, first + 1, HALF - 2);
            System.arraycopy(INTS, first, INTS, first + 1, HALF - 1);
            Arrays.fill(OBJECTS, first, first + HALF, "object");
            new ByteArrayInputStream(new byte[HALF]).read(BYTES, first, HALF);
            int[] copy = FROM.clone();
            if (Arrays.copyOfRange(INTS, first, first + HALF).length != copy.length) {
                throw new AssertionError();
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Arrays.setAll(FROM, i -> i);
        Thread other = new Thread(() -> work(HALF));
        other.start();
        work(0);
        other.join();
        System.out.println(Arrays.stream(INTS.clone()).sum() + OBJECTS.clone().length + BYTES.clone().length);
    }
}
