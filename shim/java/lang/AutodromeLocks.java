package java.lang;

import static java.lang.AutodromeLayout.*;
import static java.lang.AutodromeThread.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The locks that a thread holds, for reports: monitors, and those of java.util.concurrent.locks, which know when they were
 * taken and given back. What order they make is another matter: of monitors AutodromeMonitors', of others that of the primitives
 * inside them.
 *
 * <p>Each thread has a stack of them; the set has a number, which the agent gives and the thread remembers. A lock that another
 * thread gives back stays on the stack of its taker until that takes or gives back the same lock again.
 */
public final class AutodromeLocks {
    /** A stack has two objects per lock: the lock, and its cells if it is a monitor. */
    private static final int HELD = 2, CELLS = 1;

    /** Where a stack keeps, per lock, the number of the set before it, its site, its calling context and its mode. */
    private static final int BEFORE = 0, SITE = 1, CONTEXT = 2, MODE = 3, ENTRY = 4;

    private static final int CACHE_BITS = 6, CACHED = 5;

    private AutodromeLocks() {}

    /** Calls each native method once, as AutodromeStart says. */
    static void link() {
        lockset(0, null, 0, 0, 0);
    }

    /** The number of the set with one more lock. */
    private static native int lockset(int before, Object lock, int mode, int site, int context);

    /** Where in the thread's stack the lock is, when it was last taken; -1 if the thread does not hold it. */
    @ForceInline
    static int place(Thread t, Object lock) {
        Object[] held = t.autodrome$held;
        int place = t.autodrome$depth - 1;
        while (place >= 0 && held[HELD * place] != lock) {
            place--;
        }
        return place;
    }

    /** The cells of a monitor that the thread holds; null if the monitor was taken quietly, or before we were there. */
    static Object cells(Thread t, Object monitor) {
        Object[] held = t.autodrome$held;
        for (int i = 0; i < t.autodrome$depth; i++) {
            if (held[HELD * i] == monitor) {
                return held[HELD * i + CELLS];
            }
        }
        return null;
    }

    /** The lock at a place of the thread's stack, and how it is held. */
    static Object lock(Thread t, int place) {
        return t.autodrome$held[HELD * place];
    }

    static int mode(Thread t, int place) {
        return t.autodrome$taken[ENTRY * place + MODE];
    }

    /** The cells of a monitor come with it where it is taken first. */
    static void push(Thread t, Object lock, Object cells, int mode, int site, int context) {
        AutodromeRuns.end(t);
        int depth = t.autodrome$depth;
        Object[] held = t.autodrome$held;
        if (held == null || HELD * depth == held.length) {
            grow(t);
            held = t.autodrome$held;
        }
        int[] taken = t.autodrome$taken;
        held[HELD * depth] = lock;
        held[HELD * depth + CELLS] = cells;
        taken[ENTRY * depth + SITE] = site;
        taken[ENTRY * depth + CONTEXT] = context;
        taken[ENTRY * depth + MODE] = mode;
        t.autodrome$depth = depth + 1;
        AutodromeLocksets.changed(t);
        add(t, depth);
    }

    /** The lock at this place of the stack counts from here on. */
    private static void add(Thread t, int place) {
        int[] taken = t.autodrome$taken;
        Object lock = t.autodrome$held[HELD * place];
        int before = t.autodrome$locks, at = ENTRY * place;
        int site = taken[at + SITE], context = taken[at + CONTEXT], mode = taken[at + MODE];
        // One site may lock objects of many classes, and reports name the class.
        int type = mode == HELD_MONITOR ? System.identityHashCode(lock.getClass()) : mode;
        taken[at + BEFORE] = before;
        int[] sets = t.autodrome$sets;
        if (sets == null) {
            t.autodrome$sets = sets = new int[CACHED << CACHE_BITS];
        }
        int hash = (((before * 31 + site) * 31 + context) * 31 + type) * 0x9E3779B1 >>> 32 - CACHE_BITS;
        int entry = CACHED * hash;
        if (sets[entry] != before || sets[entry + 1] != site || sets[entry + 2] != context || sets[entry + 3] != type
                || sets[entry + 4] == 0) {
            sets[entry + 4] = lockset(before, lock, mode, site, context);
            sets[entry] = before;
            sets[entry + 1] = site;
            sets[entry + 2] = context;
            sets[entry + 3] = type;
        }
        t.autodrome$locks = sets[entry + 4];
    }

    /** Takes a lock out of the stack, and gives its cells; those above it come down. */
    static Object remove(Thread t, int place) {
        AutodromeRuns.end(t);
        Object[] held = t.autodrome$held;
        Object cells = held[HELD * place + CELLS];
        int[] taken = t.autodrome$taken;
        int last = t.autodrome$depth - 1;
        t.autodrome$locks = taken[ENTRY * place + BEFORE];
        for (int i = place; i < last; i++) {
            held[HELD * i] = held[HELD * (i + 1)];
            held[HELD * i + CELLS] = held[HELD * (i + 1) + CELLS];
            for (int j = 0; j < ENTRY; j++) {
                taken[ENTRY * i + j] = taken[ENTRY * (i + 1) + j];
            }
            add(t, i);
        }
        held[HELD * last] = null;
        held[HELD * last + CELLS] = null;
        t.autodrome$depth = last;
        AutodromeLocksets.changed(t);
        return cells;
    }

    @DontInline
    private static void grow(Thread t) {
        Object[] held = t.autodrome$held;
        int[] taken = t.autodrome$taken;
        int length = held == null ? 0 : held.length;
        Object[] longer = new Object[2 * length + 8 * HELD];
        int[] more = new int[ENTRY * longer.length / HELD];
        for (int i = 0; i < length; i++) {
            longer[i] = held[i];
        }
        for (int i = 0; taken != null && i < taken.length; i++) {
            more[i] = taken[i];
        }
        t.autodrome$held = longer;
        t.autodrome$taken = more;
    }

    @ForceInline
    private static void take(Object lock, int mode, int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            if (t.autodrome$quiet == 0) {
                if (AutodromeHunt.HUNTS && place(t, lock) < 0) {
                    AutodromeHunt.took(t, lock, site);
                    if (mode != HELD_WRITE) {
                        // Readers do not exclude each other, and nobody knows whom a writer waits for.
                        AutodromeHunt.gave(t, lock);
                    }
                }
                push(t, lock, null, mode, site, t.autodrome$context);
            }
        }
    }

    @ForceInline
    private static void give(Object lock) {
        if (ON) {
            Thread t = Thread.currentThread();
            int place;
            if (t.autodrome$quiet == 0 && (place = place(t, lock)) >= 0) {
                int mode = mode(t, place);
                remove(t, place);
                if (AutodromeHunt.HUNTS && mode == HELD_WRITE) {
                    AutodromeHunt.gave(t, lock);
                }
            }
        }
    }

    @ForceInline
    public static void afterLock(Object lock, int site) {
        take(lock, HELD_WRITE, site);
    }

    @ForceInline
    public static void afterTryLock(Object lock, boolean taken, int site) {
        if (taken) {
            take(lock, HELD_WRITE, site);
        }
    }

    @ForceInline
    public static void afterUnlock(Object lock, int site) {
        give(lock);
    }

    // Locks for reading. Inside, all who take and give back a lock for reading change one volatile number, which would order them
    // with each other. So these methods are quiet. A lock has two cells: that of its state, which writers release to and both
    // acquire, and that of its readers, which readers release to and only writers acquire, and whoever asks about readers. A
    // reader releases where it takes the lock, too: who sees that it has the lock comes after what it did before.

    public static void beforeRead(Object lock, int site) {
        if (ON) {
            AutodromeCells.release(lock, AutodromeReadLocks.readers(lock));
            Thread.currentThread().autodrome$quiet++;
        }
    }

    public static void seeReaders(Object lock, int site) {
        if (ON) {
            AutodromeCells.acquire(lock, AutodromeReadLocks.readers(lock));
        }
    }

    /** What a quiet method did is over but for its last hook; gives the count to put back. */
    @ForceInline
    private static int unquiet(Thread t) {
        int quiet = t.autodrome$quiet;
        // Hooks may have been switched on since the method started.
        t.autodrome$quiet = quiet > 0 ? quiet - 1 : 0;
        return quiet;
    }

    /** A thread has tried to take the lock for reading, and has seen what writers did. */
    private static void tookRead(Object lock, boolean taken, int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            int quiet = unquiet(t);
            AutodromeCells.acquire(lock, AutodromeReadLocks.state(lock));
            if (taken) {
                take(lock, HELD_READ, site);
            }
            t.autodrome$quiet = quiet;
        }
    }

    private static void gaveRead(Object lock, boolean given) {
        if (ON && given) {
            Thread t = Thread.currentThread();
            int quiet = unquiet(t);
            give(lock);
            t.autodrome$quiet = quiet;
        }
    }

    public static void afterReadLock(Object lock, int site) {
        tookRead(lock, true, site);
    }

    public static void afterReadTryLock(Object lock, boolean taken, int site) {
        tookRead(lock, taken, site);
    }

    public static void afterReadUnlock(Object lock, int site) {
        gaveRead(lock, true);
    }

    // StampedLock. A write stamp has bit 7 set; an optimistic one has none of the lowest eight bits set.

    private static final int MODE_BITS = 255, WRITE_BIT = 128;

    public static void afterWriteStamp(Object lock, long stamp, int site) {
        seeReaders(lock, site);
        if (stamp != 0) {
            take(lock, HELD_WRITE, site);
        }
    }

    public static void afterReadStamp(Object lock, long stamp, int site) {
        tookRead(lock, stamp != 0, site);
    }

    public static void afterStampUnlockRead(Object lock, int site) {
        gaveRead(lock, true);
    }

    public static void afterStampUnlockWrite(Object lock, int site) {
        give(lock);
    }

    public static void afterStampTryUnlockRead(Object lock, boolean given, int site) {
        gaveRead(lock, given);
    }

    public static void afterStampTryUnlockWrite(Object lock, boolean given, int site) {
        if (given) {
            give(lock);
        }
    }

    /** The conversion itself hands something on, and a validation learns; optimistic reads wait for what comes of it. */
    public static void beforeConvert(Object lock, int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            t.autodrome$converting = t.autodrome$optimistic;
            t.autodrome$optimistic = null;
        }
    }

    /** A stamp becomes one for reading, or an optimistic one: the lock is given back, if the stamp is of a lock. */
    public static void beforeReadConvert(Object lock, long stamp, int site) {
        beforeConvert(lock, site);
        if (ON && (stamp & WRITE_BIT) != 0) {
            AutodromeCells.release(lock, AutodromeReadLocks.state(lock));
        }
        beforeRead(lock, site);
    }

    public static void afterReadConvert(Object lock, long stamp, long result, int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            int quiet = unquiet(t);
            AutodromeCells.acquire(lock, AutodromeReadLocks.state(lock));
            converted(lock, stamp, result, site);
            t.autodrome$quiet = quiet;
        }
    }

    public static void afterConvert(Object lock, long stamp, long result, int site) {
        seeReaders(lock, site);
        converted(lock, stamp, result, site);
    }

    private static void goOn(Thread t) {
        t.autodrome$optimistic = t.autodrome$converting;
        t.autodrome$converting = null;
    }

    private static void converted(Object lock, long stamp, long result, int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            goOn(t);
            boolean isOptimistic = result != 0 && (result & MODE_BITS) == 0;
            if ((stamp & MODE_BITS) == 0) {
                AutodromeOptimism.end(t, lock, result != 0, isOptimistic);
            } else if (isOptimistic) {
                AutodromeOptimism.begin(t, lock);
            }
        }
        if (result == 0 || result == stamp) {
            return;
        }
        if ((stamp & MODE_BITS) != 0) {
            give(lock);
        }
        if ((result & MODE_BITS) != 0) {
            take(lock, (result & WRITE_BIT) != 0 ? HELD_WRITE : HELD_READ, site);
        }
    }

    /** A stamp of 0, which will not validate, is one too: the program may read first and ask then. */
    public static void beginOptimistic(Object lock, long stamp, int site) {
        if (ON) {
            AutodromeOptimism.begin(Thread.currentThread(), lock);
        }
    }

    public static void endOptimistic(Object lock, long stamp, boolean isValid, int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            goOn(t);
            if ((stamp & MODE_BITS) == 0) {
                AutodromeOptimism.end(t, lock, isValid, true);
            }
        }
    }
}
