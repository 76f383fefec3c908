import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that only a weak reference knows is collected when nobody uses it, and made anew: what was done under the old lock comes
 * before the collection that cleared its reference, and so before what is done under the new one. Nothing else orders the
 * two threads of a round. The property `soft` asks for soft references.
 */
public class Main {
    /** As Guava has it: whoever asks for the lock knows an interface, not a Reference. */
    interface Known {
        ReentrantLock get();
    }

    static final class Weakly extends WeakReference<ReentrantLock> implements Known {
        Weakly(ReentrantLock lock) {
            super(lock);
        }
    }

    static final class Softly extends SoftReference<ReentrantLock> implements Known {
        Softly(ReentrantLock lock) {
            super(lock);
        }
    }

    /** Something with a lock. */
    abstract static class Guarded {
        final AtomicReference<Known> known = new AtomicReference<>();
        private int value;

        /** Is the lock collected? */
        abstract boolean isGone();

        int use() {
            ReentrantLock lock = new ReentrantLock();
            known.set(Boolean.getBoolean("soft") ? new Softly(lock) : new Weakly(lock));
            lock.lock();
            try {
                return ++value;
            } finally {
                lock.unlock();
            }
        }
    }

    static final class ByGet extends Guarded {
        @Override
        boolean isGone() {
            return known.get().get() == null;
        }
    }

    static final class ByAnswer extends Guarded {
        @Override
        boolean isGone() {
            return ((Reference<?>) known.get()).refersTo(null);
        }
    }

    /** A soft reference that was asked since the last collection but one is kept. */
    static void collect() {
        for (int i = 0; i < 3; i++) {
            System.gc();
            LockSupport.parkNanos(2_000_000);
        }
    }

    static void round(Guarded guarded) throws InterruptedException {
        Thread first = new Thread(guarded::use);
        Thread second = new Thread(() -> {
            while (guarded.known.get() == null) {
                Thread.onSpinWait();
            }
            while (!guarded.isGone()) {
                collect();
            }
            System.out.println(guarded.use());
        });
        first.start();
        second.start();
        first.join();
        second.join();
    }

    public static void main(String[] arguments) throws InterruptedException {
        round(new ByGet());
        round(new ByAnswer());
    }
}
