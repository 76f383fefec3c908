import java.nio.charset.StandardCharsets;

/** Strings are made of arrays that another thread writes; of parts of them too. */
public class Main {
    static final char[] LETTERS = {'r', 'a', 'c', 'e'};
    static final byte[] BYTES = {'r', 'a', 'c', 'e'};

    static void write() {
        LETTERS[2] = 'c'; // race: writes []
        BYTES[2] = 'c'; // race: writes []
    }

    static String made() {
        String whole = new String(LETTERS); // race: reads []
        return whole + new String(BYTES, 1, 2, StandardCharsets.UTF_8); // race: reads []
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(Main::write);
        writer.start();
        String made = made();
        // What is written is no part of this one.
        String other = String.valueOf(LETTERS, 0, 2) + new String(BYTES, 3, 1, StandardCharsets.UTF_8);
        writer.join();
        System.out.println(made + other);
    }
}
