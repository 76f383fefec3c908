import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The task is due at once, but nobody waits for it. */
public class Main {
    private static int result;

    static void work() {
        result = 7; // race: writes result
    }

    static int use() {
        return result; // race: reads result
    }

    public static void main(String[] arguments) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        ScheduledFuture<?> done = pool.schedule(Main::work, 0, TimeUnit.MILLISECONDS);
        int seen = use();
        done.get();
        pool.shutdown();
        System.out.println(seen < 8);
    }
}
