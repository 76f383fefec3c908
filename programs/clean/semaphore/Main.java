import java.util.concurrent.Semaphore;

/** A semaphore of one permit as a lock, and one of none as a message. */
public class Main {
    private static final Semaphore MUTEX = new Semaphore(1);
    private static final Semaphore FILLED = new Semaphore(0);
    private static final Semaphore EMPTIED = new Semaphore(1, true);
    private static int count;
    private static int place;

    static void count() throws InterruptedException {
        MUTEX.acquire();
        try {
            count++;
        } finally {
            MUTEX.release();
        }
        while (!MUTEX.tryAcquire()) {
            Thread.onSpinWait();
        }
        count++;
        MUTEX.release();
    }

    static void produce() {
        try {
            for (int i = 1; i <= 100; i++) {
                EMPTIED.acquireUninterruptibly();
                place = i;
                FILLED.release();
                count();
            }
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread producer = new Thread(Main::produce);
        producer.start();
        int sum = 0;
        for (int i = 1; i <= 100; i++) {
            FILLED.acquire();
            sum += place;
            EMPTIED.release();
            count();
        }
        producer.join();
        System.out.println(sum + " " + count);
    }
}
