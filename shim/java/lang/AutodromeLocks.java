package java.lang;

import static java.lang.AutodromeThread.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The locks that a thread holds, for reports: monitors, and those of java.util.concurrent.locks, which tell when they were
 * taken and given back. What order they make is another matter: of monitors AutodromeShim's, of others that of the primitives
 * inside them.
 *
 * <p>Each thread has a stack of them; the set has a number, which the agent gives and the thread remembers. A lock that another
 * thread gives back stays on the stack of its taker until that takes or gives back the same lock again.
 */
class AutodromeLocks extends AutodromeCalls {
    /** Where a stack keeps, per lock, the number of the set before it, its site, its calling context and its mode. */
    private static final int BEFORE = 0, SITE = 1, CONTEXT = 2, MODE = 3, ENTRY = 4;

    /** How a lock is held; a monitor is also known by its site alone. */
    static final int MONITOR = 0, WRITE = 1, READ = 2;

    private static final int CACHE_BITS = 6, CACHED = 5;

    /** Calls each native method once, as AutodromeShim says. */
    static void link() {
        lockset(0, null, 0, 0, 0);
    }

    /** The number of the set with one more lock. */
    private static native int lockset(int before, Object lock, int mode, int site, int context);

    /** Does the thread hold the lock already? */
    static boolean holds(Thread t, Object lock) {
        Object[] held = t.autodrome$held;
        for (int i = t.autodrome$depth - 1; i >= 0; i--) {
            if (held[i] == lock) {
                return true;
            }
        }
        return false;
    }

    static void push(Thread t, Object lock, int mode, int site, int context) {
        int depth = t.autodrome$depth;
        Object[] held = t.autodrome$held;
        if (held == null || depth == held.length) {
            grow(t);
            held = t.autodrome$held;
        }
        int[] taken = t.autodrome$taken;
        held[depth] = lock;
        taken[ENTRY * depth + SITE] = site;
        taken[ENTRY * depth + CONTEXT] = context;
        taken[ENTRY * depth + MODE] = mode;
        t.autodrome$depth = depth + 1;
        add(t, depth);
    }

    /** The lock at this place of the stack counts from here on. */
    private static void add(Thread t, int place) {
        int[] taken = t.autodrome$taken;
        Object lock = t.autodrome$held[place];
        int before = t.autodrome$locks, at = ENTRY * place;
        int site = taken[at + SITE], context = taken[at + CONTEXT], mode = taken[at + MODE];
        // One site may lock objects of many classes, and reports name the class.
        int type = mode == MONITOR ? System.identityHashCode(lock.getClass()) : mode;
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

    /** Says whether the lock was there. */
    static boolean pop(Thread t, Object lock) {
        Object[] held = t.autodrome$held;
        int depth = t.autodrome$depth, place = depth - 1;
        while (place >= 0 && held[place] != lock) {
            place--;
        }
        if (place < 0) {
            return false;
        }
        int[] taken = t.autodrome$taken;
        t.autodrome$locks = taken[ENTRY * place + BEFORE];
        for (int i = place; i < depth - 1; i++) {
            held[i] = held[i + 1];
            for (int j = 0; j < ENTRY; j++) {
                taken[ENTRY * i + j] = taken[ENTRY * (i + 1) + j];
            }
            add(t, i);
        }
        held[depth - 1] = null;
        t.autodrome$depth = depth - 1;
        return true;
    }

    @DontInline
    private static void grow(Thread t) {
        Object[] held = t.autodrome$held;
        int[] taken = t.autodrome$taken;
        int length = held == null ? 0 : held.length;
        Object[] longer = new Object[2 * length + 8];
        int[] more = new int[ENTRY * longer.length];
        for (int i = 0; i < length; i++) {
            longer[i] = held[i];
        }
        for (int i = 0; i < ENTRY * length; i++) {
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
                push(t, lock, mode, site, t.autodrome$context);
            }
        }
    }

    @ForceInline
    private static void give(Object lock) {
        if (ON) {
            Thread t = Thread.currentThread();
            if (t.autodrome$quiet == 0) {
                pop(t, lock);
            }
        }
    }

    @ForceInline
    public static void afterLock(Object lock, int site) {
        take(lock, WRITE, site);
    }

    @ForceInline
    public static void afterTryLock(Object lock, boolean taken, int site) {
        if (taken) {
            take(lock, WRITE, site);
        }
    }

    @ForceInline
    public static void afterUnlock(Object lock, int site) {
        give(lock);
    }

    @ForceInline
    public static void afterReadLock(Object lock, int site) {
        take(lock, READ, site);
    }

    @ForceInline
    public static void afterReadTryLock(Object lock, boolean taken, int site) {
        if (taken) {
            take(lock, READ, site);
        }
    }

    @ForceInline
    public static void afterReadUnlock(Object lock, int site) {
        give(lock);
    }

    // StampedLock. A write stamp has bit 7 set; an optimistic one has none of the lowest eight bits set.

    private static final int MODE_BITS = 255, WRITE_BIT = 128;

    public static void afterWriteStamp(Object lock, long stamp, int site) {
        if (stamp != 0) {
            take(lock, WRITE, site);
        }
    }

    public static void afterReadStamp(Object lock, long stamp, int site) {
        if (stamp != 0) {
            take(lock, READ, site);
        }
    }

    public static void afterStampUnlockRead(Object lock, int site) {
        give(lock);
    }

    public static void afterStampUnlockWrite(Object lock, int site) {
        give(lock);
    }

    public static void afterStampTryUnlockRead(Object lock, boolean given, int site) {
        if (given) {
            give(lock);
        }
    }

    public static void afterStampTryUnlockWrite(Object lock, boolean given, int site) {
        if (given) {
            give(lock);
        }
    }

    /** The conversion itself hands something on; optimistic reads wait for what comes of it. */
    public static void beforeConvert(Object lock, int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            t.autodrome$converting = t.autodrome$optimistic;
            t.autodrome$optimistic = null;
        }
    }

    public static void afterConvert(Object lock, long stamp, long result, int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            t.autodrome$optimistic = t.autodrome$converting;
            t.autodrome$converting = null;
            if ((stamp & MODE_BITS) == 0) {
                AutodromeOptimism.end(t, result != 0);
            }
        }
        if (result == 0 || result == stamp) {
            return;
        }
        if ((stamp & MODE_BITS) != 0) {
            give(lock);
        }
        if ((result & MODE_BITS) != 0) {
            take(lock, (result & WRITE_BIT) != 0 ? WRITE : READ, site);
        }
    }

    /** A stamp of 0, which will not validate, is one too: the program may read first and ask then. */
    public static void beginOptimistic(Object lock, long stamp, int site) {
        if (ON) {
            AutodromeOptimism.begin(Thread.currentThread());
        }
    }

    public static void endOptimistic(Object lock, long stamp, boolean isValid, int site) {
        if (ON && (stamp & MODE_BITS) == 0) {
            AutodromeOptimism.end(Thread.currentThread(), isValid);
        }
    }
}
