import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A cache is filled under the write lock, which becomes a read lock before it is left: no other writer in between. */
public class Main {
    private static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    private static boolean valid;
    private static int cached;
    private static int generation;

    static int use() {
        LOCK.readLock().lock();
        if (!valid) {
            LOCK.readLock().unlock();
            LOCK.writeLock().lock();
            try {
                if (!valid) {
                    generation++;
                    cached = 2 * generation;
                    valid = true;
                }
                LOCK.readLock().lock();
            } finally {
                LOCK.writeLock().unlock();
            }
        }
        try {
            return cached - 2 * generation;
        } finally {
            LOCK.readLock().unlock();
        }
    }

    static void invalidate() {
        LOCK.writeLock().lock();
        valid = false;
        LOCK.writeLock().unlock();
    }

    static void work() {
        for (int i = 0; i < 200; i++) {
            if (use() != 0) {
                throw new AssertionError();
            }
            invalidate();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(Main::work);
        other.start();
        work();
        other.join();
        System.out.println(use());
    }
}
