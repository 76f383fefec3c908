import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;

/** Virtual threads start and end like others, whatever carries them; they sleep in locks and monitors. */
public class Main {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static int locked;
    private static int synced;
    private static int input;

    static void work() {
        try {
            for (int i = 0; i < 3; i++) {
                LOCK.lock();
                try {
                    locked++;
                    Thread.sleep(0, 1000);
                } finally {
                    LOCK.unlock();
                }
                synchronized (LOCK) {
                    synced++;
                    Thread.yield();
                }
            }
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    static int[] twice() {
        int[] result = new int[1];
        result[0] = 2 * input;
        return result;
    }

    public static void main(String[] arguments) throws Exception {
        input = 21;
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            threads.add(i % 2 == 0 ? Thread.startVirtualThread(Main::work) : Thread.ofVirtual().start(Main::work));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        int sum = 0;
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<int[]>> results = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                results.add(pool.submit(Main::twice));
            }
            for (Future<int[]> result : results) {
                sum += result.get()[0];
            }
        }
        Thread last = Thread.ofVirtual().unstarted(() -> input = 1);
        last.start();
        while (last.isAlive()) {
            Thread.onSpinWait();
        }
        System.out.println(locked + " " + synced + " " + sum + " " + input);
    }
}
