package java.lang;

import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.StampedLock;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Where a lock that can be held for reading has its two cells: that of its state, a volatile field, and that of its readers. The
 * second is the cell of a plain field that only readers use (crates/agent, jdk.rs, about relaxed fields).
 *
 * <p>The lock is a StampedLock, or what the two locks of a ReentrantReadWriteLock have in common.
 */
final class AutodromeReadLocks {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final long STAMPED_STATE = U.objectFieldOffset(StampedLock.class, "state");
    private static final long STAMPED_READERS = U.objectFieldOffset(StampedLock.class, "readerOverflow");
    /** Of a pair; 0 until one is met: its class has no name here. */
    private static long pairState, pairReaders;

    private AutodromeReadLocks() {}

    @ForceInline
    static long state(Object lock) {
        if (lock instanceof StampedLock) {
            return STAMPED_STATE;
        }
        return pairState != 0 ? pairState : findState(lock);
    }

    @ForceInline
    static long readers(Object lock) {
        if (lock instanceof StampedLock) {
            return STAMPED_READERS;
        }
        return pairReaders != 0 ? pairReaders : findReaders(lock);
    }

    private static long findState(Object lock) {
        return pairState = U.objectFieldOffset(ofPairs(lock).getSuperclass(), "state");
    }

    private static long findReaders(Object lock) {
        return pairReaders = U.objectFieldOffset(ofPairs(lock), "cachedHoldCounter");
    }

    /** The class that extends a synchronizer, whose state is an int or, in newer versions, a long. */
    private static Class<?> ofPairs(Object lock) {
        Class<?> type = lock.getClass();
        while (type.getSuperclass() != AbstractQueuedSynchronizer.class
                && type.getSuperclass() != AbstractQueuedLongSynchronizer.class) {
            type = type.getSuperclass();
        }
        return type;
    }
}
