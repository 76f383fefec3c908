import java.util.Arrays;

/** Comparisons and hashes, which the JDK computes with code of its own, read arrays that another thread writes. */
public class Main {
    static final int[] NUMBERS = new int[100];
    static final long[] WIDE = new long[100];
    static final char[] LETTERS = new char[100];
    static final byte[] BYTES = new byte[100];

    static void write() {
        NUMBERS[99] = 0; // race: writes []
        WIDE[99] = 0; // race: writes []
        LETTERS[99] = 0; // race: writes []
        BYTES[99] = 0; // race: writes []
    }

    static int look() {
        int seen = Arrays.equals(NUMBERS, new int[100]) ? 1 : 0; // race: reads []
        seen += Arrays.mismatch(WIDE, new long[100]); // race: reads []
        seen += Arrays.compare(new char[100], LETTERS); // race: reads []
        return seen + Arrays.hashCode(BYTES); // race: reads []
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(Main::write);
        writer.start();
        int seen = look();
        writer.join();
        System.out.println(seen);
    }
}
