package java.lang;

import static java.lang.AutodromeNumbers.*;
import static java.lang.AutodromeThread.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Accesses to array elements. Their shadow words lie outside the heap, where the agent keeps them (crates/agent,
 * arrays.rs), and are found by the array's number (AutodromeNumbers).
 */
final class AutodromeArrays {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** By number, the address of the shadow (crates/agent, shadow.rs), with its lowest bit set if it has a pool. */
    private static final long TABLE = table();

    /** Which word of an element. */
    private static final int READS = 0, WRITE = 1;

    /** In a shadow without a pool: the words of the first element. */
    private static final int WORDS = 16;

    /** In a shadow with a pool, from its address plus 1: the address of the second block, the pool, the indices. */
    private static final int SECOND = 8 - 1, POOL = 16 - 1, INDICES = 16 + 64 * 8 - 1;

    /** The index of an element that has its own words; in its place in the pool is how many words the pool has. */
    private static final int OWN = 63;

    /** Times two indices: those of four elements in the same state. And the bytes of one kind among them. */
    private static final long FOUR = 0x0001000100010001L, EVERY_OTHER = 0x00ff00ff00ff00ffL;

    private AutodromeArrays() {}

    /** Calls each native method of the hooks once, as AutodromeShim says. */
    static void link() {
        read(0, null, 0, 0, 0, 0, 0);
        write(0, null, 0, 0, 0, 0, 0);
        checkWrite(0, null, 0, 0, 0, 0, 0);
        checkReads(0, null, 0, 0, 0, 0, 0);
    }

    private static native long table();

    /** An access was recorded here, and the word of the other kind has changed meanwhile. */
    private static native void checkWrite(
            int me, Object array, int index, int number, int site, int context, int locks);

    private static native void checkReads(
            int me, Object array, int index, int number, int site, int context, int locks);

    /**
     * Decides an access. Gives the array's number in the upper half, if its header did not tell it, and the number of the
     * access's context if it was recorded.
     */
    private static native long read(
            int me, Object array, int index, int number, int site, int context, int locks);

    private static native long write(
            int me, Object array, int index, int number, int site, int context, int locks);

    /** Tells apart the objects that have one number in turn. */
    @ForceInline
    static long stamp(int number) {
        return U.getLong(shadow(number) & ~7L);
    }

    /** Where the shadow of an array lies. */
    @ForceInline
    static long address(int number) {
        return shadow(number) & ~7L;
    }

    @ForceInline
    private static long shadow(int number) {
        return U.getLong(TABLE + ((long) number << 3));
    }

    /** Whether the element's word is of the current thread in its current epoch. The index is that of an access made. */
    @ForceInline
    private static boolean isMine(Object array, int index, int of) {
        int number = number(array);
        if (!isNumber(number)) {
            return false;
        }
        long shadow = shadow(number);
        if ((shadow & 1) == 0) {
            return AutodromeThread.isMine(U.getLong(shadow + WORDS + ((long) index << 4) + 8 * of));
        }
        return AutodromeThread.isMine(inPool(shadow, U.getByte(shadow + INDICES + ((long) index << 1) + of)));
    }

    @ForceInline
    private static long inPool(long shadow, int at) {
        return U.getLong(shadow + POOL + ((long) at << 3));
    }

    /** The address of an element's word, or 0 if it is in the pool. */
    @ForceInline
    private static long place(long shadow, int index, int of) {
        if ((shadow & 1) == 0) {
            return shadow + WORDS + ((long) index << 4) + 8 * of;
        }
        boolean own = U.getByteVolatile(null, shadow + INDICES + ((long) index << 1) + of) == OWN;
        return own ? U.getLong(shadow + SECOND) + ((long) index << 4) + 8 * of : 0;
    }

    private static long word(long shadow, int index, int of) {
        long place = place(shadow, index, of);
        if (place != 0) {
            return U.getLongVolatile(null, place);
        }
        int at = U.getByteVolatile(null, shadow + INDICES + ((long) index << 1) + of);
        return at == OWN ? U.getLongVolatile(null, place(shadow, index, of)) : inPool(shadow, at);
    }

    /** Puts a new word in the place of an old one; not if the new one is not in the pool. */
    private static boolean exchange(long shadow, int index, int of, long old, long next) {
        long place = place(shadow, index, of);
        if (place != 0) {
            return U.compareAndSetLong(null, place, old, next);
        }
        place = shadow + INDICES + ((long) index << 1) + of;
        byte at = U.getByteVolatile(null, place);
        if (at == OWN || inPool(shadow, at) != old) {
            return false;
        }
        for (int i = (int) inPool(shadow, OWN); i > 0; i--) {
            if (inPool(shadow, i) == next) {
                return U.compareAndSetByte(null, place, at, (byte) i);
            }
        }
        return false;
    }

    @ForceInline
    static void read(Object array, int index, int site, int context) {
        if (AutodromeLocksets.LOCKSETS) {
            AutodromeLocksets.element(array, index, false, site, context);
        } else if (ON && !isMine(array, index, READS) && !isMine(array, index, WRITE)) {
            readSlow(array, index, site, context);
        }
    }

    @ForceInline
    static void write(Object array, int index, int site, int context) {
        if (AutodromeLocksets.LOCKSETS) {
            AutodromeLocksets.element(array, index, true, site, context);
        } else if (ON && !isMine(array, index, WRITE)) {
            writeSlow(array, index, site, context);
        }
    }

    static void readRange(Object array, int from, int to, int site, int context) {
        if (ON && from < to) {
            range(array, from, to, READS, site, context);
        }
    }

    static void writeRange(Object array, int from, int to, int site, int context) {
        if (ON && from < to) {
            range(array, from, to, WRITE, site, context);
        }
    }

    /**
     * Accesses elements one after another. Elements of a pool that have the same indices are in the same state, and come to
     * the same state by the same access: so four of them at once take over what became of one. That must be a word of
     * this thread alone, or the old one: a word that tells of another thread's read may be due to one that came in between.
     * No other write can be ordered before this access if it comes in between, so a word of this thread follows from the
     * old state too.
     */
    @DontInline
    private static void range(Object array, int from, int to, int of, int site, int context) {
        if (AutodromeLocksets.LOCKSETS) {
            AutodromeLocksets.range(array, from, to, of == WRITE, site, context);
            return;
        }
        long before = -1, after = -1;
        boolean wholly = Thread.currentThread().autodrome$optimistic == null;
        for (int i = from; i < to; ) {
            int number = number(array);
            long shadow = !isNumber(number) ? 0 : shadow(number);
            if (!wholly || (shadow & 1) == 0) {
                access(array, i++, of, site, context);
                continue;
            }
            long at = shadow + INDICES + ((long) i << 1);
            if ((i & 3) == 0 && i + 4 <= to) {
                long four = U.getLongVolatile(null, at);
                if (four == after || areMine(shadow, four, of)
                        || four == before && U.compareAndSetLong(null, at, four, after)) {
                    i += 4;
                    continue;
                }
            }
            long old = U.getShort(null, at) & 0xffffL;
            access(array, i++, of, site, context);
            long now = U.getShort(null, at) & 0xffffL;
            if (now == old || other(now, of) == other(old, of) && areMine(shadow, now * FOUR, of)) {
                before = old * FOUR;
                after = now * FOUR;
            }
        }
        AutodromeThread.keepAlive(array);
    }

    /** The index of the other kind of access than this one, in the two of an element. */
    @ForceInline
    private static long other(long indices, int of) {
        return indices >>> 8 * (1 - of) & 0xff;
    }

    /** Do four elements have one index, that of a word of the current thread in its current epoch? */
    @ForceInline
    private static boolean areMine(long shadow, long four, int of) {
        long indices = four >>> 8 * of & EVERY_OTHER, first = indices & 0xff;
        return indices == first * FOUR && first != OWN && AutodromeThread.isMine(inPool(shadow, (int) first));
    }

    @ForceInline
    private static void access(Object array, int index, int of, int site, int context) {
        if (of == READS) {
            read(array, index, site, context);
        } else {
            write(array, index, site, context);
        }
    }

    /** The word of an element's reads or of its write, for one that only looks; 0 if it has none or cannot tell. */
    static long peek(Object array, int index, boolean isWrite) {
        int number = number(array);
        return !isNumber(number) ? 0 : word(shadow(number), index, isWrite ? WRITE : READS);
    }

    /** Looks at the accesses that conflict with one that is not recorded. */
    static void check(Thread t, Object array, int index, boolean isWrite, int site, int context) {
        int number = number(array), me = enter(t);
        checkWrite(me, array, index, number, site, context, t.autodrome$locks);
        if (isWrite) {
            checkReads(me, array, index, number, site, context, t.autodrome$locks);
        }
        AutodromeThread.keepAlive(array);
    }

    /** A read that was held, and is recorded now. */
    static void readAgain(Object array, int index, int site, int context) {
        readSlow(array, index, site, context);
    }

    @DontInline
    private static void readSlow(Object array, int index, int site, int context) {
        Thread t = Thread.currentThread();
        int me = enter(t), epoch = ~t.autodrome$epoch;
        if (epoch == ~0) {
            AutodromeWords.unwatched();
            return;
        }
        if (t.autodrome$optimistic != null
                && AutodromeOptimism.holds(t, array, index, 0, site, context, true)) {
            return;
        }
        t.autodrome$used = 1;
        int number = number(array), known;
        if (!isNumber(number)) {
            decided(t, array, site, context, read(me, array, index, 0, site, context, t.autodrome$locks));
            return;
        }
        long shadow = shadow(number), reads = word(shadow, index, READS), write = word(shadow, index, WRITE);
        if (reads < 0 && AutodromeWords.isShared(t, reads, epoch)) {
            return;
        }
        if (isOrdered(t, reads, epoch) && isOrdered(t, write, epoch)
                && (known = AutodromeWords.known(t, context, site)) != 0) {
            if (exchange(shadow, index, READS, reads, (long) epoch << 32 | known & 0xffffffffL)) {
                t.autodrome$medium++;
                if (word(shadow, index, WRITE) != write) {
                    checkWrite(me, array, index, number, site, context, t.autodrome$locks);
                }
                // Until here the shadow must not become another array's.
                AutodromeThread.keepAlive(array);
                return;
            }
        }
        long decision = read(me, array, index, number, site, context, t.autodrome$locks);
        decided(t, array, site, context, decision);
        if (reads < 0 && (int) decision == 0 && word(shadow, index, READS) == reads) {
            // Nothing was recorded: the clock of reads knows of the epoch.
            AutodromeWords.keepShared(t, reads, epoch);
        }
        AutodromeThread.keepAlive(array);
    }

    @DontInline
    private static void writeSlow(Object array, int index, int site, int context) {
        Thread t = Thread.currentThread();
        int me = enter(t), epoch = ~t.autodrome$epoch;
        if (epoch == ~0) {
            AutodromeWords.unwatched();
            return;
        }
        t.autodrome$used = 1;
        int number = number(array), known;
        if (isNumber(number) && (known = AutodromeWords.known(t, context, site)) != 0) {
            long shadow = shadow(number), reads = word(shadow, index, READS), write = word(shadow, index, WRITE);
            if (isOrdered(t, reads, epoch) && isOrdered(t, write, epoch)) {
                if (exchange(shadow, index, WRITE, write, (long) epoch << 32 | known & 0xffffffffL)) {
                    t.autodrome$medium++;
                    if (word(shadow, index, READS) != reads) {
                        checkReads(me, array, index, number, site, context, t.autodrome$locks);
                    }
                    AutodromeThread.keepAlive(array);
                    return;
                }
            }
        }
        number = !isNumber(number) ? 0 : number;
        decided(t, array, site, context, write(me, array, index, number, site, context, t.autodrome$locks));
    }

    @ForceInline
    private static boolean isOrdered(Thread t, long word, int epoch) {
        return AutodromeWords.isOrdered(t, (int) (word >>> 32), epoch);
    }

    private static void decided(Thread t, Object array, int site, int context, long decision) {
        if ((int) decision != 0) {
            AutodromeWords.keep(t, context, site, (int) decision);
        }
        AutodromeNumbers.mark(array, (int) (decision >>> 32));
    }
}
