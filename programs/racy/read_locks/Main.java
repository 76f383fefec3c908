import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Both write while they hold the lock for reading, one after the other: read locks do not order each other. */
public class Main {
    private static final VarHandle STEP;
    private static int step;

    static {
        try {
            STEP = MethodHandles.lookup().findStaticVarHandle(Main.class, "step", int.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    private static int rounds;

    /** The second thread goes on when the first one is through, which nothing orders. */
    static void run(Runnable first, Runnable second) throws InterruptedException {
        int round = ++rounds;
        Thread one = new Thread(() -> {
            first.run();
            STEP.setOpaque(round);
        });
        Thread two = new Thread(() -> {
            while ((int) STEP.getOpaque() != round) {
                Thread.onSpinWait();
            }
            second.run();
        });
        one.start();
        two.start();
        one.join();
        two.join();
    }

    private static int locked, tried, timed, fair, viewed, stamp, triedStamp, converted;
    private static int reference, bool, number;

    static void locked() {
        locked++; // race: reads locked, writes locked
    }

    static void tried() {
        tried++; // race: reads tried, writes tried
    }

    static void timed() {
        timed++; // race: reads timed, writes timed
    }

    static void fair() {
        fair++; // race: reads fair, writes fair
    }

    static void viewed() {
        viewed++; // race: reads viewed, writes viewed
    }

    static void stamp() {
        stamp++; // race: reads stamp, writes stamp
    }

    static void triedStamp() {
        triedStamp++; // race: reads triedStamp, writes triedStamp
    }

    static void converted() {
        converted++; // race: reads converted, writes converted
    }

    static void under(Lock lock, Runnable section) {
        lock.lock();
        section.run();
        lock.unlock();
    }

    static void trying(Lock lock, Runnable section) {
        if (lock.tryLock()) {
            section.run();
            lock.unlock();
        }
    }

    static void waiting(Lock lock, Runnable section) {
        try {
            if (lock.tryLock(1, TimeUnit.SECONDS)) {
                section.run();
                lock.unlock();
            }
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    static void stamped(StampedLock lock, Runnable section) {
        long stamp = lock.readLock();
        section.run();
        lock.unlockRead(stamp);
    }

    static void tryingStamp(StampedLock lock, Runnable section) {
        if (lock.tryReadLock() != 0) {
            section.run();
            lock.tryUnlockRead();
        }
    }

    static void converting(StampedLock lock, Runnable section) {
        long stamp = lock.tryConvertToReadLock(lock.tryOptimisticRead());
        section.run();
        lock.tryConvertToOptimisticRead(stamp);
    }

    static void writeReference() {
        reference = 1; // race: writes reference
    }

    static int readReference() {
        return reference; // race: reads reference
    }

    static void writeBool() {
        bool = 1; // race: writes bool
    }

    static int readBool() {
        return bool; // race: reads bool
    }

    static void writeNumber() {
        number = 1; // race: writes number
    }

    static int readNumber() {
        return number; // race: reads number
    }

    static void plainly() throws InterruptedException {
        AtomicReference<String> name = new AtomicReference<>();
        AtomicBoolean flag = new AtomicBoolean();
        AtomicInteger count = new AtomicInteger();
        name.setPlain(name.getPlain());
        flag.setPlain(flag.getPlain());
        count.setPlain(count.getPlain());
        run(() -> {
            writeReference();
            name.setPlain("set");
        }, () -> seen = (name.get() == null ? 0 : 1) + readReference());
        run(() -> {
            writeBool();
            flag.set(true);
        }, () -> seen = (flag.getPlain() ? 1 : 0) + readBool());
        run(() -> {
            writeNumber();
            count.setPlain(1);
        }, () -> seen = count.getPlain() + readNumber());
    }

    private static int seen;

    public static void main(String[] arguments) throws InterruptedException {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock(), even = new ReentrantReadWriteLock(true);
        StampedLock other = new StampedLock();
        STEP.setOpaque((int) STEP.getOpaque());
        Runnable nothing = () -> {};
        under(lock.readLock(), nothing);
        under(even.readLock(), nothing);
        converting(other, nothing);
        under(other.asReadLock(), nothing);
        run(() -> under(lock.readLock(), Main::locked), () -> under(lock.readLock(), Main::locked));
        run(() -> trying(lock.readLock(), Main::tried), () -> trying(lock.readLock(), Main::tried));
        run(() -> waiting(lock.readLock(), Main::timed), () -> waiting(lock.readLock(), Main::timed));
        run(() -> under(even.readLock(), Main::fair), () -> under(even.readLock(), Main::fair));
        run(() -> under(other.asReadLock(), Main::viewed), () -> under(other.asReadLock(), Main::viewed));
        run(() -> stamped(other, Main::stamp), () -> stamped(other, Main::stamp));
        run(() -> tryingStamp(other, Main::triedStamp), () -> tryingStamp(other, Main::triedStamp));
        run(() -> converting(other, Main::converted), () -> converting(other, Main::converted));
        plainly();
        System.out.println(locked + tried + timed + fair + viewed + stamp + triedStamp + converted);
    }
}
