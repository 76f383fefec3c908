import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Both write while they hold the read lock, which both may. */
public class Main {
    private static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    private static int value;

    static void change() {
        LOCK.readLock().lock();
        try {
            value = 1; // race: writes value
        } finally {
            LOCK.readLock().unlock();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        LOCK.readLock().lock();
        Thread other = new Thread(Main::change);
        other.start();
        value = 2; // race: writes value
        other.join();
        LOCK.readLock().unlock();
        System.out.println(value > 0);
    }
}
