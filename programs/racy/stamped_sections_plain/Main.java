import java.util.concurrent.locks.StampedLock;

/**
 * What is read after a stamp was validated, and not validated again, is a plain read; also if the thread then learns what the
 * writer did before.
 */
public class Main {
    private static final StampedLock LOCK = new StampedLock();
    private static final StampedLock OTHER = new StampedLock();
    private static final Object MONITOR = new Object();
    private static int after;
    private static int beforeMonitor;
    private static int underWrite;

    static void write() {
        after = 1; // race: writes after
        beforeMonitor = 1; // race: writes beforeMonitor
        synchronized (MONITOR) {
            underWrite = 1; // race: writes underWrite
        }
    }

    static int readAfter() {
        long stamp = LOCK.tryOptimisticRead();
        boolean isValid = LOCK.validate(stamp);
        return isValid ? after : -1; // race: reads after
    }

    static int readBeforeMonitor() {
        long stamp = LOCK.tryOptimisticRead();
        long other = OTHER.tryOptimisticRead();
        boolean isValid = LOCK.validate(stamp) && OTHER.validate(other);
        int seen = beforeMonitor; // race: reads beforeMonitor
        synchronized (MONITOR) {
            return isValid ? seen : -1;
        }
    }

    /** The lock that it converts is not the one under which the other thread writes. */
    static int readConverted() {
        long stamp = LOCK.tryConvertToOptimisticRead(LOCK.readLock());
        int seen = underWrite; // race: reads underWrite
        return LOCK.validate(stamp) ? seen : -1;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] readers = {
            new Thread(Main::readAfter), new Thread(Main::readBeforeMonitor), new Thread(Main::readConverted)
        };
        Thread writer = new Thread(Main::write);
        writer.start();
        // Long enough for the writer to be through: a validated read is checked against earlier writes only.
        Thread.sleep(500);
        for (Thread reader : readers) {
            reader.start();
        }
        for (Thread reader : readers) {
            reader.join();
        }
        writer.join();
        System.out.println("read");
    }
}
