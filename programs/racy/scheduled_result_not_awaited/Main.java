import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The task is due at once, but nobody waits for it. */
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
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        pool.schedule(Main::work, 0, TimeUnit.MILLISECONDS);
        int seen = use();
        while (!done) {
            Thread.onSpinWait();
        }
        pool.shutdown();
        System.out.println(seen < 8);
    }
}
