import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;

/** A StampedLock held for writing and for reading, converted from one to the other, and through its views. */
public class Main {
    private static final StampedLock LOCK = new StampedLock();
    private static int one;
    private static int two;

    static void write() {
        long stamp = LOCK.writeLock();
        try {
            one++;
            two--;
        } finally {
            LOCK.unlockWrite(stamp);
        }
    }

    static int read() {
        long stamp = LOCK.readLock();
        try {
            return one + two;
        } finally {
            LOCK.unlockRead(stamp);
        }
    }

    static void writeIfEven() {
        long stamp = LOCK.readLock();
        try {
            while (one % 2 == 0) {
                long writing = LOCK.tryConvertToWriteLock(stamp);
                if (writing == 0) {
                    LOCK.unlockRead(stamp);
                    stamp = LOCK.writeLock();
                } else {
                    stamp = writing;
                    one++;
                    two--;
                    stamp = LOCK.tryConvertToReadLock(stamp);
                    break;
                }
            }
        } finally {
            LOCK.unlock(stamp);
        }
    }

    static void throughViews() {
        Lock writing = LOCK.asWriteLock();
        writing.lock();
        one++;
        two--;
        writing.unlock();
        Lock reading = LOCK.asReadWriteLock().readLock();
        reading.lock();
        int sum = one + two;
        reading.unlock();
        if (sum != 0) {
            throw new AssertionError();
        }
    }

    static void work() {
        for (int i = 0; i < 100; i++) {
            write();
            writeIfEven();
            throughViews();
            if (read() != 0) {
                throw new AssertionError();
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] others = {new Thread(Main::work), new Thread(Main::work)};
        for (Thread other : others) {
            other.start();
        }
        work();
        for (Thread other : others) {
            other.join();
        }
        System.out.println(one + two);
    }
}
