import java.util.concurrent.Semaphore;

/** Two permits let two threads in at once. */
public class Main {
    private static final Semaphore PERMITS = new Semaphore(2);
    private static int value;

    static void change() {
        PERMITS.acquireUninterruptibly();
        value = 1; // race: writes value
        PERMITS.release();
    }

    public static void main(String[] arguments) throws InterruptedException {
        PERMITS.acquire();
        Thread other = new Thread(Main::change);
        other.start();
        value = 2; // race: writes value
        other.join();
        PERMITS.release();
        System.out.println(value > 0);
    }
}
