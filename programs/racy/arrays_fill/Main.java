import java.util.Arrays;

/** Arrays.fill writes a part of an array that another thread reads. */
public class Main {
    private static final int[] ARRAY = new int[10];

    static void fill() {
        Arrays.fill(ARRAY, 5, 10, 1); // race: writes []
    }

    static int read() {
        return ARRAY[5]; // race: reads []
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread filler = new Thread(Main::fill);
        filler.start();
        int seen = read();
        filler.join();
        System.out.println(seen < 2);
    }
}
