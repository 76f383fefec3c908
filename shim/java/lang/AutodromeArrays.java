package java.lang;

import static java.lang.AutodromeThread.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Accesses to array elements. Their shadow words lie outside the heap, where the agent keeps them (crates/agent,
 * arrays.rs); the agent's number of an array is in bits of its header that the JVM does not use, beside the identity hash.
 *
 * <p>A header that has an identity hash is kept by every collector, with all its bits; a header without one may be made
 * anew. While the array is locked its header may hold an address instead, which is smaller than any number when it is
 * taken for one. Whether the JVM's headers are like that, is tried out on an array when this class is initialized.
 */
final class AutodromeArrays {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** By number, the address of the shadow (crates/agent, shadow.rs), with its lowest bit set if it has a pool. */
    private static final long TABLE = table();

    private static final int FIRST = 256;

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

    /** Where the number starts in an array's header; 0 if it has no room there. */
    private static final int SHIFT = TABLE != 0 && useHeaders() ? shift() : 0;

    private AutodromeArrays() {}

    /** Calls each native method of the hooks once, as AutodromeShim says. */
    static void link() {
        read(0, null, 0, 0, 0, 0, 0);
        write(0, null, 0, 0, 0, 0, 0);
        checkWrite(0, null, 0, 0, 0, 0, 0);
        checkReads(0, null, 0, 0, 0, 0, 0);
        known(null);
        register(null, false);
    }

    private static native long table();

    private static native boolean useHeaders();

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

    /** The number of an object, not only of an array, whose header does not tell it; 0 if it has none. */
    static native int known(Object o);

    /** Gives an object a number, if it has none; 0 if there is no memory. */
    private static native int register(Object o, boolean isArray);

    static int register(Object o) {
        int number = register(o, o.getClass().isArray());
        mark(o, number);
        return number;
    }

    /** The number in the header, or less than FIRST. */
    @ForceInline
    static int number(Object array) {
        return SHIFT == 0 ? 0 : (int) (U.getLong(array, 0L) >>> SHIFT);
    }

    /** The number in the header, or 0. */
    @ForceInline
    static int numberInHeader(Object array) {
        int number = number(array);
        return number < FIRST ? 0 : number;
    }

    @ForceInline
    static boolean isNumber(int number) {
        return number >= FIRST;
    }

    /** Tells apart the objects that have one number in turn. */
    @ForceInline
    static long stamp(int number) {
        return U.getLong(shadow(number) & ~7L);
    }

    @ForceInline
    private static long shadow(int number) {
        return U.getLong(TABLE + ((long) number << 3));
    }

    /** Whether the element's word is of the current thread in its current epoch. The index is that of an access made. */
    @ForceInline
    private static boolean isMine(Object array, int index, int of) {
        int number = number(array);
        if (number < FIRST) {
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
        if (ON && !isMine(array, index, READS)) {
            readSlow(array, index, site, context);
        }
    }

    @ForceInline
    static void write(Object array, int index, int site, int context) {
        if (ON && !isMine(array, index, WRITE)) {
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
        long before = -1, after = -1;
        boolean wholly = Thread.currentThread().autodrome$optimistic == null;
        for (int i = from; i < to; ) {
            int number = number(array);
            long shadow = number < FIRST ? 0 : shadow(number);
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
        return number < FIRST ? 0 : word(shadow(number), index, isWrite ? WRITE : READS);
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
        if (number < FIRST) {
            decided(t, array, site, context, read(me, array, index, 0, site, context, t.autodrome$locks));
            return;
        }
        long shadow = shadow(number), reads = word(shadow, index, READS), write = word(shadow, index, WRITE);
        if (reads < 0 && AutodromeWords.isShared(t, reads, epoch)) {
            return;
        }
        if (isOfSlot(reads, epoch) && isOfSlot(write, epoch)
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
        if (number >= FIRST && (known = AutodromeWords.known(t, context, site)) != 0) {
            long shadow = shadow(number), reads = word(shadow, index, READS), write = word(shadow, index, WRITE);
            if (isOfSlot(reads, epoch) && isOfSlot(write, epoch)) {
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
        number = number < FIRST ? 0 : number;
        decided(t, array, site, context, write(me, array, index, number, site, context, t.autodrome$locks));
    }

    @ForceInline
    private static boolean isOfSlot(long word, int epoch) {
        return AutodromeWords.isOfSlot((int) (word >>> 32), epoch);
    }

    private static void decided(Thread t, Object array, int site, int context, long decision) {
        if ((int) decision != 0) {
            AutodromeWords.keep(t, context, site, (int) decision);
        }
        mark(array, (int) (decision >>> 32));
    }

    /** Puts the number into the header, if there is room: the array is not locked, and the number is not too large. */
    static void mark(Object array, int number) {
        if (SHIFT == 0 || number == 0 || (long) number >>> 64 - SHIFT != 0 || !isFree(U.getLong(array, 0L))) {
            return;
        }
        System.identityHashCode(array);
        for (;;) {
            long header = U.getLongVolatile(array, 0L);
            if (!isFree(header) || hash(header, SHIFT) == 0
                    || U.compareAndSetLong(array, 0L, header, header | (long) number << SHIFT)) {
                return;
            }
        }
    }

    /** Neither locked, nor biased, nor numbered. */
    private static boolean isFree(long header) {
        return (header & 7) == 1 && header >>> SHIFT == 0;
    }

    private static int hash(long header, int shift) {
        return (int) (header >>> shift - 31) & 0x7fffffff;
    }

    /** Finds the identity hash of an array in its header: the bits above it are free in the layouts that we know. */
    private static int shift() {
        int[] ints = new int[1];
        Object[] objects = new Object[0];
        int shift = 0;
        for (int candidate : new int[] {39, 42}) {
            if (fits(ints, candidate) && fits(objects, candidate)) {
                // Both fit: then nothing is known.
                shift = shift == 0 ? candidate : 64;
            }
        }
        return shift != 0 && shift != 64 && survives(ints, shift) ? shift : 0;
    }

    private static boolean fits(Object array, int shift) {
        long before = U.getLongVolatile(array, 0L);
        int hash = System.identityHashCode(array);
        long after = U.getLongVolatile(array, 0L);
        return (before & 7) == 1 && (after & 7) == 1 && after >>> shift == 0 && hash != 0 && hash(after, shift) == hash;
    }

    /** A number that was put there is still there after the array was locked, and the hash is what it was. */
    private static boolean survives(Object array, int shift) {
        int hash = System.identityHashCode(array);
        long header = U.getLongVolatile(array, 0L), number = FIRST + 5;
        if (!U.compareAndSetLong(array, 0L, header, header | number << shift)) {
            return false;
        }
        boolean kept = System.identityHashCode(array) == hash;
        synchronized (array) {
            long locked = U.getLongVolatile(array, 0L) >>> shift;
            kept &= locked < FIRST || locked == number;
        }
        kept &= U.getLongVolatile(array, 0L) == (header | number << shift) && System.identityHashCode(array) == hash;
        U.putLongVolatile(array, 0L, header);
        return kept;
    }
}
