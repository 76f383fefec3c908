import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A count under a ReentrantLock, fair and unfair, taken in every way, also twice by the same thread. */
public class Main {
    private final ReentrantLock lock;
    private int count;

    Main(boolean fair) {
        lock = new ReentrantLock(fair);
    }

    void byLock() {
        lock.lock();
        try {
            lock.lock();
            try {
                count++;
            } finally {
                lock.unlock();
            }
            count++;
        } finally {
            lock.unlock();
        }
    }

    void byTryLock() {
        while (!lock.tryLock()) {
            Thread.onSpinWait();
        }
        try {
            count++;
        } finally {
            lock.unlock();
        }
    }

    void byTimedTryLock() throws InterruptedException {
        while (!lock.tryLock(1, TimeUnit.MILLISECONDS)) {
            Thread.onSpinWait();
        }
        try {
            count++;
        } finally {
            lock.unlock();
        }
    }

    void byInterruptible() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            count++;
        } finally {
            lock.unlock();
        }
    }

    void work() {
        try {
            for (int i = 0; i < 100; i++) {
                byLock();
                byTryLock();
                byTimedTryLock();
                byInterruptible();
            }
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    static int count(boolean fair) throws InterruptedException {
        Main main = new Main(fair);
        Thread other = new Thread(main::work);
        other.start();
        main.work();
        other.join();
        return main.count;
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println(count(false) + " " + count(true));
    }
}
