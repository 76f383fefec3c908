/** System.arraycopy reads one array, which another thread writes, and writes one, which it reads. */
public class Main {
    private static final int[] FROM = new int[10];
    private static final long[] INTO = new long[10];

    static void copyFrom() {
        System.arraycopy(FROM, 2, new int[8], 0, 8); // race: reads []
    }

    static void write() {
        FROM[9] = 1; // race: writes []
    }

    static void copyInto() {
        System.arraycopy(new long[4], 0, INTO, 6, 4); // race: writes []
    }

    static long read() {
        return INTO[6]; // race: reads []
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(() -> {
            copyFrom();
            copyInto();
        });
        other.start();
        write();
        long seen = read();
        other.join();
        System.out.println(seen);
    }
}
