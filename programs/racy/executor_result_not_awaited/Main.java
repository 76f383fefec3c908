import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The result is read before get() has returned. */
public class Main {
    private static int result;

    static void work() {
        result = 7; // race: writes result
    }

    static int use() {
        return result; // race: reads result
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Future<?> done = pool.submit(Main::work);
        int seen = use();
        done.get();
        pool.shutdown();
        System.out.println(seen < 8);
    }
}
