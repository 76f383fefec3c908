import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Two tasks of one pool, each with a thread of its own. */
public class Main {
    private static int total;

    static Object add() {
        total++; // race: reads writes total
        return null;
    }

    public static void main(String[] arguments) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Callable<Object>> tasks = List.of(Main::add, Main::add);
        pool.invokeAll(tasks);
        pool.shutdown();
        System.out.println(total > 0);
    }
}
