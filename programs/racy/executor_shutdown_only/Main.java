import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** shutdown() does not wait for the tasks. The task goes on after it: the opaque flag orders nothing. */
public class Main {
    private static final AtomicBoolean SHUT = new AtomicBoolean();
    private static int result;

    static void work() {
        while (!SHUT.getOpaque()) {
            Thread.onSpinWait();
        }
        result = 7; // race: writes result
    }

    static int use(ExecutorService pool) {
        pool.shutdown();
        SHUT.setOpaque(true);
        return result; // race: reads result
    }

    public static void main(String[] arguments) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        pool.execute(Main::work);
        int seen = use(pool);
        boolean ended = pool.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println(ended && seen < 8);
    }
}
