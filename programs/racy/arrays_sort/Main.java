import java.util.Arrays;

/** Arrays.sort moves elements that another thread reads. */
public class Main {
    private static final int[] INTS = {5, 4, 3, 2, 1};
    private static final String[] TEXTS = {"c", "b", "a"};

    static void sort() {
        Arrays.sort(INTS); // race: writes reads []
        Arrays.sort(TEXTS); // race: writes reads []
    }

    static int read() {
        return INTS[0] + TEXTS[0].length(); // race: reads []
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread sorter = new Thread(Main::sort);
        sorter.start();
        int seen = read();
        sorter.join();
        System.out.println(seen > 0);
    }
}
