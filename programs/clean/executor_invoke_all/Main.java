import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** invokeAll() returns when all tasks have written; a completion service hands over one after another. */
public class Main {
    private static final int[] PARTS = new int[10];

    static int[] fill(int part) {
        PARTS[part] = part;
        int[] result = new int[1];
        result[0] = part;
        return result;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        List<Callable<int[]>> tasks = new ArrayList<>();
        for (int i = 0; i < PARTS.length; i++) {
            int part = i;
            tasks.add(() -> fill(part));
        }
        int sum = 0;
        for (Future<int[]> done : pool.invokeAll(tasks)) {
            sum += done.get()[0];
        }
        for (int part : PARTS) {
            sum += part;
        }
        CompletionService<int[]> service = new ExecutorCompletionService<>(pool);
        tasks.forEach(service::submit);
        for (int i = 0; i < PARTS.length; i++) {
            sum += service.take().get()[0];
        }
        pool.shutdown();
        System.out.println(sum);
    }
}
