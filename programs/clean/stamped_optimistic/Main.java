import java.util.concurrent.locks.StampedLock;

/** What an optimistic read saw counts only after validate() said yes; else it is read again under the lock. */
public class Main {
    private static final StampedLock LOCK = new StampedLock();
    private static int x;
    private static int y;

    static void move() {
        long stamp = LOCK.writeLock();
        x++;
        y--;
        LOCK.unlockWrite(stamp);
    }

    static int sum() {
        long stamp = LOCK.tryOptimisticRead();
        int sum = x + y;
        if (!LOCK.validate(stamp)) {
            stamp = LOCK.readLock();
            try {
                sum = x + y;
            } finally {
                LOCK.unlockRead(stamp);
            }
        }
        return sum;
    }

    static int sumOrUpgrade() {
        long stamp = LOCK.tryOptimisticRead();
        int seenX = x;
        int seenY = y;
        long reading = LOCK.tryConvertToReadLock(stamp);
        if (reading == 0) {
            reading = LOCK.readLock();
            seenX = x;
            seenY = y;
        }
        LOCK.unlockRead(reading);
        return seenX + seenY;
    }

    static void work() {
        for (int i = 0; i < 500; i++) {
            move();
            if (sum() != 0 || sumOrUpgrade() != 0) {
                throw new AssertionError();
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(Main::work);
        other.start();
        work();
        other.join();
        System.out.println(sum());
    }
}
