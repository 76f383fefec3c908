import java.util.concurrent.locks.StampedLock;

/** An optimistic read that nobody validates is a read without a lock. */
public class Main {
    private static final StampedLock LOCK = new StampedLock();
    private static int x;

    static void move() {
        long stamp = LOCK.writeLock();
        x = 1; // race: writes x
        LOCK.unlockWrite(stamp);
    }

    static int look(Thread mover) {
        long stamp = LOCK.tryOptimisticRead();
        mover.start();
        return stamp == 0 ? 0 : x; // race: reads x
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread mover = new Thread(Main::move);
        int seen = look(mover);
        mover.join();
        System.out.println(seen < 2);
    }
}
