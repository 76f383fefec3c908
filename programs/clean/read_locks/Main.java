import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Readers come after writers before them and before writers after them, however they take and give back the lock. */
public class Main {
    static final int ROUNDS = 200;

    interface Section {
        void run() throws InterruptedException;
    }

    static Thread thread(Section section) {
        return new Thread(() -> {
            try {
                section.run();
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        });
    }

    /** Runs them at the same time. */
    static void together(Section... sections) throws InterruptedException {
        Thread[] threads = new Thread[sections.length];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = thread(sections[i]);
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** One thread changes a field under the read lock, and all others under the write lock: they exclude each other. */
    static final class Pair {
        private final ReentrantReadWriteLock lock;
        private int value;

        Pair(boolean fair) {
            lock = new ReentrantReadWriteLock(fair);
        }

        void read() throws InterruptedException {
            for (int i = 0; i < ROUNDS; i++) {
                Lock reading = lock.readLock();
                switch (i % 4) {
                    case 0 -> reading.lock();
                    case 1 -> reading.lockInterruptibly();
                    case 2 -> {
                        while (!reading.tryLock()) {
                            Thread.onSpinWait();
                        }
                    }
                    default -> {
                        while (!reading.tryLock(1, TimeUnit.SECONDS)) {
                            Thread.onSpinWait();
                        }
                    }
                }
                // Taken twice, given back twice.
                reading.lock();
                value++;
                reading.unlock();
                value++;
                reading.unlock();
            }
        }

        void write() throws InterruptedException {
            for (int i = 0; i < ROUNDS; i++) {
                Lock writing = lock.writeLock();
                switch (i % 3) {
                    case 0 -> writing.lock();
                    case 1 -> {
                        while (!writing.tryLock()) {
                            Thread.onSpinWait();
                        }
                    }
                    default -> {
                        while (!writing.tryLock(1, TimeUnit.SECONDS)) {
                            Thread.onSpinWait();
                        }
                    }
                }
                value += 2;
                writing.unlock();
            }
        }

        void downgrade() {
            for (int i = 0; i < ROUNDS; i++) {
                lock.writeLock().lock();
                int before = value += 2;
                lock.readLock().lock();
                lock.writeLock().unlock();
                lock.readLock().unlock();
                if (before == 0) {
                    throw new AssertionError();
                }
            }
        }

        /** Waits for what is done under the read lock: it comes back with the lock for writing. */
        void await() throws InterruptedException {
            Condition condition = lock.writeLock().newCondition();
            lock.writeLock().lock();
            while (value < ROUNDS) {
                condition.await(1, TimeUnit.MILLISECONDS);
            }
            value += 2;
            lock.writeLock().unlock();
        }

        void run() throws InterruptedException {
            together(this::read, this::write, this::downgrade, this::await);
        }
    }

    static final class Stamped {
        private final StampedLock lock = new StampedLock();
        private int value;

        long take(int i) throws InterruptedException {
            long stamp = 0;
            while (stamp == 0) {
                stamp = switch (i % 5) {
                    case 0 -> lock.readLock();
                    case 1 -> lock.readLockInterruptibly();
                    case 2 -> lock.tryReadLock();
                    case 3 -> lock.tryReadLock(1, TimeUnit.SECONDS);
                    default -> lock.tryConvertToReadLock(lock.tryOptimisticRead());
                };
            }
            return stamp;
        }

        void read() throws InterruptedException {
            for (int i = 0; i < ROUNDS; i++) {
                long stamp = take(i);
                value++;
                switch (i % 4) {
                    case 0 -> lock.unlockRead(stamp);
                    case 1 -> lock.unlock(stamp);
                    case 2 -> lock.tryUnlockRead();
                    default -> lock.tryConvertToOptimisticRead(stamp);
                }
                Lock view = lock.asReadLock();
                view.lock();
                value++;
                view.unlock();
            }
        }

        void write() throws InterruptedException {
            for (int i = 0; i < ROUNDS; i++) {
                long stamp = 0;
                while (stamp == 0) {
                    stamp = switch (i % 5) {
                        case 0 -> lock.writeLock();
                        case 1 -> lock.tryWriteLock();
                        case 2 -> lock.tryWriteLock(1, TimeUnit.SECONDS);
                        case 3 -> lock.writeLockInterruptibly();
                        default -> lock.tryConvertToWriteLock(lock.tryOptimisticRead());
                    };
                }
                value += 2;
                switch (i % 3) {
                    case 0 -> lock.unlockWrite(stamp);
                    case 1 -> lock.unlockRead(lock.tryConvertToReadLock(stamp));
                    default -> lock.tryConvertToOptimisticRead(stamp);
                }
            }
        }

        void upgrade() throws InterruptedException {
            for (int i = 0; i < ROUNDS; i++) {
                long stamp = take(i), writing = lock.tryConvertToWriteLock(stamp);
                if (writing == 0) {
                    lock.unlockRead(stamp);
                    writing = lock.writeLock();
                }
                value += 2;
                lock.unlock(writing);
            }
        }

        void run() throws InterruptedException {
            together(this::read, this::write, this::upgrade);
        }
    }

    private static int before, queued, stamped, told;
    private static volatile boolean over;

    /** Who sees that a reader has the lock, or waits for it, comes after what it did before. */
    static void asked() throws InterruptedException {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        StampedLock other = new StampedLock();
        Thread reader = thread(() -> {
            before = 1;
            lock.readLock().lock();
            while (!over) {
                Thread.onSpinWait();
            }
            lock.readLock().unlock();
            stamped = 1;
            long stamp = other.readLock();
            while (over) {
                Thread.onSpinWait();
            }
            other.unlockRead(stamp);
        });
        reader.start();
        while (lock.getReadLockCount() == 0) {
            Thread.onSpinWait();
        }
        before++;
        over = true;
        while (!other.isReadLocked()) {
            Thread.onSpinWait();
        }
        stamped++;
        over = false;
        reader.join();

        lock.writeLock().lock();
        Thread waiting = thread(() -> {
            queued = 1;
            lock.readLock().lock();
            lock.readLock().unlock();
        });
        waiting.start();
        while (!lock.hasQueuedThread(waiting)) {
            Thread.onSpinWait();
        }
        queued++;
        lock.writeLock().unlock();
        waiting.join();
    }

    /** A reader that fails to get the lock, or to give it back, goes on as usual. */
    static void thrown() throws InterruptedException {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        lock.writeLock().lock();
        Thread waiting = new Thread(() -> {
            try {
                lock.readLock().lockInterruptibly();
                throw new AssertionError();
            } catch (InterruptedException interrupted) {
                told++;
            }
            try {
                lock.readLock().unlock();
                throw new AssertionError();
            } catch (IllegalMonitorStateException unheld) {
                told++;
            }
            over = true;
        });
        waiting.start();
        while (!lock.hasQueuedThreads()) {
            Thread.onSpinWait();
        }
        told = 1;
        waiting.interrupt();
        while (!over) {
            Thread.onSpinWait();
        }
        told++;
        waiting.join();
        lock.writeLock().unlock();
    }

    public static void main(String[] arguments) throws InterruptedException {
        new Pair(false).run();
        new Pair(true).run();
        new Stamped().run();
        asked();
        thrown();
        System.out.println(before + queued + stamped + told);
    }
}
