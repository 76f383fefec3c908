import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The result is read without asking the future. */
public class Main {
    private static volatile boolean done;
    private static int result;

    static void work() {
        result = 7; // race: writes result
        done = true;
    }

    static int use() {
        return result; // race: reads result
    }

    public static void main(String[] arguments) {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.submit(Main::work);
        int seen = use();
        while (!done) {
            Thread.onSpinWait();
        }
        pool.shutdown();
        System.out.println(seen < 8);
    }
}
