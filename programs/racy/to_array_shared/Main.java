import java.util.ArrayList;
import java.util.List;

/**
 * Each thread has a list of its own, and all fill one array: what races is the array. The lists are guarded by nothing
 * and need not be.
 */
public class Main {
    static final String[] SHARED = new String[4];

    static void fill(String element) {
        List<String> own = new ArrayList<>(List.of(element, element));
        own.toArray(SHARED); // race: writes []
    }

    static String first() {
        return SHARED[0]; // race: reads []
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(() -> fill("a"));
        Thread two = new Thread(() -> fill("b"));
        Thread three = new Thread(Main::first);
        for (Thread thread : new Thread[] {one, two, three}) {
            thread.start();
            // Long enough for the thread to end, and no order.
            Thread.sleep(100);
        }
        System.out.println(SHARED.length);
    }
}
