import java.util.concurrent.locks.StampedLock;

/** A write between tryOptimisticRead() and validate(): no validation undoes it. */
public class Main {
    private static final StampedLock LOCK = new StampedLock();
    private static int x;

    static void move() {
        long stamp = LOCK.writeLock();
        x = 1; // race: writes x
        LOCK.unlockWrite(stamp);
    }

    static boolean push(Thread mover) {
        long stamp = LOCK.tryOptimisticRead();
        mover.start();
        x = 2; // race: writes x
        return LOCK.validate(stamp);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread mover = new Thread(Main::move);
        push(mover);
        mover.join();
        System.out.println(x > 0);
    }
}
