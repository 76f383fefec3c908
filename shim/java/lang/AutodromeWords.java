package java.lang;

import static java.lang.AutodromeLayout.*;
import static java.lang.AutodromeSites.*;
import static java.lang.AutodromeThread.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The two shadow words of a field that can race, one for reads and one for writes (crates/runtime, word.rs).
 *
 * <p>The medium path takes accesses that follow only accesses that the thread has seen. Everything
 * else is decided in Rust on plain values; the words are changed here, because native code cannot hold on to where an
 * object lies.
 */
final class AutodromeWords {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** How many entries a thread's cache of contexts has at first, and at most; and how many ints an entry has. */
    private static final int FEW = 1 << 8, MOST = 1 << 15, ENTRY = 4;

    /**
     * Four entries lie in one line of memory, and a context is in any of them. With one place for each, a program of as many
     * contexts as half the cache has entries would lose a fifth of them to others, with each round anew, and each is a call.
     */
    private static final int LINE = 4 * ENTRY;

    /** The same for its cache of clocks of reads that know of its epoch. */
    private static final int FEW_SHARED = 1 << 9, MOST_SHARED = 1 << 18;

    private AutodromeWords() {}

    /** Calls each native method once, see AutodromeStart. */
    static void link() {
        AutodromeTree.link();
        AutodromeValues.link();
        read(0, null, 0, 0, 0, 0, 0);
        write(0, null, 0, 0, 0, 0, 0);
        checkWrite(0, null, 0, 0, 0, 0);
        checkReads(0, null, 0, 0, 0, 0);
        retire(0, null, 0, 0, 0, 0);
        discard(0);
    }

    /** Counts an access of a thread that is not watched. */
    static native void unwatched();

    // The object whose field it is (or the class of a static one) names the variable where a race is reported.

    private static native long read(int me, Object holder, long reads, long write, int site, int context, int locks);

    private static native long write(int me, Object holder, long reads, long write, int site, int context, int locks);

    /** A read was recorded, and the word of writes has changed meanwhile. */
    private static native void checkWrite(int me, Object holder, long write, int site, int context, int locks);

    /** A write was recorded, and the word of reads has changed meanwhile. */
    private static native void checkReads(int me, Object holder, long reads, int site, int context, int locks);

    /** A write has taken this word of reads away. */
    private static native void retire(int me, Object holder, long reads, int site, int context, int locks);

    /** This new word of reads could not be put in place. */
    private static native void discard(long reads);

    /** Is this half of a word empty, or an epoch of the same era? Its thread has seen all that happened there. */
    @ForceInline
    static boolean isOfEra(int half, int epoch) {
        return half == 0 || (half ^ epoch) >>> TIME_BITS == 0;
    }

    /** Is this half of a word empty, or a moment that the thread has seen? */
    @ForceInline
    static boolean isOrdered(Thread t, int half, int epoch) {
        return isOfEra(half, epoch) || AutodromePasts.hasSeen(t, half);
    }

    /** Is the thread not known to have seen all accesses that these words stand for? */
    @ForceInline
    private static boolean isUnordered(Thread t, long reads, long write, int epoch) {
        return !isOrdered(t, (int) (reads >>> 32), epoch) || !isOrdered(t, (int) (write >>> 32), epoch);
    }

    /** Stands for every calling-context value. */
    private static final int ANY = 0x5EED;

    /** Where in the cache the context of an access stands, if anywhere. */
    @ForceInline
    private static int place(int context, int site, int locks, int[] cache) {
        long hash = ((long) site << 32 ^ context & 0xffffffffL ^ (long) locks << 24) * 0x9E3779B97F4A7C15L;
        return (int) (hash >>> 40) & cache.length - ENTRY;
    }

    @ForceInline
    private static boolean isAt(int[] cache, int at, int context, int site, int locks) {
        return cache[at] == context && cache[at + 1] == site && cache[at + 2] == locks;
    }

    /** The number of the access's context, if the thread has made such an access before, else 0. */
    @ForceInline
    static int known(Thread t, int context, int site) {
        int[] cache = t.autodrome$contexts;
        if (cache == null) {
            return 0;
        }
        int locks = t.autodrome$locks, at = place(context, site, locks, cache);
        return isAt(cache, at, context, site, locks) ? cache[at + 3] : inLine(cache, at, context, site, locks);
    }

    /** The same, if the context is not where it is looked for first. */
    @DontInline
    private static int inLine(int[] cache, int at, int context, int site, int locks) {
        int found = find(cache, at, context, site, locks);
        if (found < 0) {
            found = find(cache, place(ANY, site, locks, cache), ANY, site, locks);
            // A negative number is the context of its site, however the site was reached.
            return found < 0 || cache[found + 3] >= 0 ? 0 : cache[found + 3];
        }
        return cache[found + 3];
    }

    /** Makes the context of an access known while its frames are there, for an access that is decided later. */
    static void learn(Thread t, int site, int context) {
        if (known(t, context, site) == 0) {
            keep(t, context, site, AutodromeLocksets.contextOf(enter(t), site, context, t.autodrome$locks));
        }
    }

    /** Which entry of the line is this one, or -1. */
    private static int find(int[] cache, int at, int context, int site, int locks) {
        for (int i = 0; i < LINE; i += ENTRY) {
            if (isAt(cache, at ^ i, context, site, locks)) {
                return at ^ i;
            }
        }
        return -1;
    }

    /** Which entry of the line is free, or -1. */
    private static int free(int[] cache, int at) {
        for (int i = 0; i < LINE; i += ENTRY) {
            if (cache[(at ^ i) + 3] == 0) {
                return at ^ i;
            }
        }
        return -1;
    }

    static void keep(Thread t, int context, int site, int number) {
        int[] cache = t.autodrome$contexts;
        if (cache == null) {
            if ((cache = ints(FEW * ENTRY)) == null) {
                return;
            }
            t.autodrome$contexts = cache;
        }
        int value = number < 0 ? ANY : context, locks = t.autodrome$locks, at = place(value, site, locks, cache), to;
        while ((to = find(cache, at, value, site, locks)) < 0 && (to = free(cache, at)) < 0
                && cache.length < MOST * ENTRY) {
            int[] larger = larger(cache);
            if (larger == null) {
                break;
            }
            t.autodrome$contexts = cache = larger;
            at = place(value, site, locks, cache);
        }
        to = to < 0 ? at : to;
        cache[to] = value;
        cache[to + 1] = site;
        cache[to + 2] = locks;
        cache[to + 3] = number;
    }

    /** An array of a cache; null if there is no memory, which the program is to learn of from its own allocations. */
    @DontInline
    private static int[] ints(int length) {
        try {
            return new int[length];
        } catch (OutOfMemoryError none) {
            return null;
        }
    }

    /** What was in one line goes to two, so there is room for all; null if there is no memory. */
    @DontInline
    private static int[] larger(int[] cache) {
        int[] larger = ints(2 * cache.length);
        for (int i = 0; larger != null && i < cache.length; i += ENTRY) {
            if (cache[i + 3] != 0) {
                int at = free(larger, place(cache[i], cache[i + 1], cache[i + 2], larger));
                for (int j = 0; j < ENTRY; j++) {
                    larger[at + j] = cache[i + j];
                }
            }
        }
        return larger;
    }

    /** Where the cache has a clock of reads: neighbours in the table of clocks (shared.rs) are neighbours here. */
    @ForceInline
    private static int place(long reads, long[] shared) {
        int row = (int) (reads >>> 32 + SHARD_BITS), shard = (int) (reads >>> 32) & (1 << SHARD_BITS) - 1;
        return row + shard * 0x9E3779B1 & shared.length - 1;
    }

    /**
     * What the cache has for a clock of reads in an epoch. By chance it may be the same for another clock and epoch, once in
     * billions of times that they are looked for in the same place; a read is not recorded then.
     */
    @ForceInline
    private static long entry(long reads, int epoch) {
        return reads ^ epoch * 0x9E3779B97F4A7C15L;
    }

    /** Does this clock of reads know of the thread's epoch, as far as the thread remembers? */
    @ForceInline
    static boolean isShared(Thread t, long reads, int epoch) {
        long[] shared = t.autodrome$shared;
        return shared != null && shared[place(reads, shared)] == entry(reads, epoch);
    }

    /** Would a read of the current thread, of a variable with these words, be redundant? */
    @ForceInline
    static boolean isReadByMe(long reads, long write) {
        return isMine(reads) || isMine(write) || isSharedByMe(reads);
    }

    /** The same for the current thread now, and for a word that may be none of a clock of reads. */
    @ForceInline
    static boolean isSharedByMe(long reads) {
        return reads < 0 && isSharedNow(reads);
    }

    /**
     * Left to the compilers to inline: the last one does so where it pays. The first one must not, its frames would be twice as
     * large: it does so up to 35 bytes of code, so isShared is written out here.
     */
    private static boolean isSharedNow(long reads) {
        Thread t = Thread.currentThread();
        long[] shared = t.autodrome$shared;
        if (shared == null) {
            return false;
        }
        return shared[place(reads, shared)] == entry(reads, ~t.autodrome$epoch);
    }

    static void keepShared(Thread t, long reads, int epoch) {
        long[] shared = t.autodrome$shared;
        int at = shared == null ? 0 : place(reads, shared);
        long other = shared == null ? 0 : shared[at] ^ entry(0, epoch);
        if (shared == null || shared[at] != 0 && other != reads && place(other, shared) == at && shared.length < MOST_SHARED) {
            // What would be forgotten is still of use. The larger one begins empty.
            shared = enlarge(t, shared);
            at = shared == null ? 0 : place(reads, shared);
        }
        if (shared != null) {
            shared[at] = entry(reads, epoch);
        }
    }

    /** A larger cache for the thread; the one that it has if there is no memory. */
    @DontInline
    private static long[] enlarge(Thread t, long[] shared) {
        try {
            return t.autodrome$shared = new long[shared == null ? FEW_SHARED : 2 * shared.length];
        } catch (OutOfMemoryError none) {
            return shared;
        }
    }

    /** A read of a field whose words are not of this epoch. Left to the compilers to inline, and written out, as isSharedNow is. */
    static void readFieldOfOthers(Object o, long reads, int site, int context) {
        Thread t = Thread.currentThread();
        long[] shared = t.autodrome$shared;
        if (reads >= 0 || shared == null || shared[place(reads, shared)] != entry(reads, ~t.autodrome$epoch)) {
            readFieldSlow(o, reads, site, context);
        }
    }

    static void readStaticOfOthers(long reads, int site, int context) {
        Thread t = Thread.currentThread();
        long[] shared = t.autodrome$shared;
        if (reads >= 0 || shared == null || shared[place(reads, shared)] != entry(reads, ~t.autodrome$epoch)) {
            readStaticSlow(reads, site, context);
        }
    }

    @DontInline
    static void readFieldSlow(Object o, long reads, int site, int context) {
        long field = field(site);
        if (field == UNKNOWN) {
            field = resolve(site, o);
        }
        if (field > 0) {
            readSlow(o, reads, field, site, context);
        }
    }

    @DontInline
    static void writeFieldSlow(Object o, long write, int site, int context) {
        long field = field(site);
        if (field == UNKNOWN) {
            field = resolve(site, o);
        }
        if (field > 0) {
            writeSlow(o, write, field, site, context);
        }
    }

    @DontInline
    static void readStaticSlow(long reads, int site, int context) {
        long field = field(site);
        if (field == UNKNOWN) {
            field = resolve(site, null);
        }
        if (field > 0) {
            readSlow(baseOf(site), reads, field, site, context);
        }
    }

    @DontInline
    static void writeStaticSlow(long write, int site, int context) {
        long field = field(site);
        if (field == UNKNOWN) {
            field = resolve(site, null);
        }
        if (field > 0) {
            writeSlow(baseOf(site), write, field, site, context);
        }
    }

    @DontInline
    static void readSlow(Object base, long reads, long offsets, int site, int context) {
        if (AutodromeLocksets.LOCKSETS) {
            AutodromeLocksets.field(base, offsets, false, site, context);
            return;
        }
        Thread t = Thread.currentThread();
        if (isPrivate(t)) {
            return;
        }
        int me = enter(t), epoch = ~t.autodrome$epoch;
        if (epoch == ~0) {
            unwatched();
            return;
        }
        if (reads < 0 && isShared(t, reads, epoch)) {
            return;
        }
        long readsAt = offsets >>> 32, writeAt = offsets & 0xffffffffL;
        if (t.autodrome$optimistic != null
                && AutodromeOptimism.holds(t, base, offsets, U.getLongVolatile(base, writeAt), site, context, false)) {
            return;
        }
        t.autodrome$used = 1;
        if (AutodromeTree.FILTERS && isUnordered(t, reads, U.getLongVolatile(base, writeAt), epoch)
                && AutodromeTree.drops(me, base, offsets, false, site)) {
            return;
        }
        for (;;) {
            long write = U.getLongVolatile(base, writeAt);
            if ((int) (write >>> 32) == epoch) {
                return;
            }
            int number;
            long next;
            if (isOrdered(t, (int) (reads >>> 32), epoch) && isOrdered(t, (int) (write >>> 32), epoch)
                    && (number = known(t, context, site)) != 0) {
                t.autodrome$medium++;
                next = (long) epoch << 32 | number & 0xffffffffL;
            } else {
                next = read(me, base, reads, write, site, context, t.autodrome$locks);
                if (next >= 0 && next != reads) {
                    keep(t, context, site, (int) next);
                }
            }
            if (next == reads || U.compareAndSetLong(base, readsAt, reads, next)) {
                long again = U.getLongVolatile(base, writeAt);
                if (again != write) {
                    checkWrite(me, base, again, site, context, t.autodrome$locks);
                }
                if (next != reads) {
                    return;
                }
                // A read that joined a clock of reads counts only if the clock is still this field's.
                next = U.getLongVolatile(base, readsAt);
                if (next == reads) {
                    if (reads < 0) {
                        keepShared(t, reads, epoch);
                    }
                    return;
                }
                reads = next;
            } else {
                discard(next);
                reads = U.getLongVolatile(base, readsAt);
            }
        }
    }

    @DontInline
    static void writeSlow(Object base, long write, long offsets, int site, int context) {
        if (AutodromeValues.COMPARES && AutodromeValues.isSame(base, site)) {
            return;
        }
        if (AutodromeLocksets.LOCKSETS) {
            AutodromeLocksets.field(base, offsets, true, site, context);
            return;
        }
        Thread t = Thread.currentThread();
        if (isPrivate(t)) {
            return;
        }
        int me = enter(t), epoch = ~t.autodrome$epoch;
        if (epoch == ~0) {
            unwatched();
            return;
        }
        t.autodrome$used = 1;
        long readsAt = offsets >>> 32, writeAt = offsets & 0xffffffffL;
        if (AutodromeTree.FILTERS && isUnordered(t, U.getLongVolatile(base, readsAt), write, epoch)
                && AutodromeTree.drops(me, base, offsets, true, site)) {
            return;
        }
        for (;;) {
            long reads = U.getLongVolatile(base, readsAt);
            int number;
            long next;
            if (isOrdered(t, (int) (reads >>> 32), epoch) && isOrdered(t, (int) (write >>> 32), epoch)
                    && (number = known(t, context, site)) != 0) {
                t.autodrome$medium++;
                next = (long) epoch << 32 | number & 0xffffffffL;
            } else {
                next = write(me, base, reads, write, site, context, t.autodrome$locks);
                if (next != write) {
                    keep(t, context, site, (int) next);
                }
            }
            if (next == write) {
                // Nothing new, or a word was out of date.
                if (U.getLongVolatile(base, readsAt) == reads && U.getLongVolatile(base, writeAt) == write) {
                    return;
                }
            } else if (U.compareAndSetLong(base, writeAt, write, next)) {
                lookAtReads(base, reads, readsAt, me, site, context, t.autodrome$locks);
                return;
            }
            write = U.getLongVolatile(base, writeAt);
        }
    }

    /** The word of a write to an object that nobody else can know yet; 0 if the thread is not watched. */
    @ForceInline
    static long fresh(int site, int context) {
        Thread t = Thread.currentThread();
        if (AutodromeLocksets.LOCKSETS) {
            return AutodromeSimple.fresh(t);
        }
        int epoch = t.autodrome$epoch, number;
        if (epoch == 0 || (number = known(t, context, site)) == 0) {
            return freshSlow(t, site, context);
        }
        t.autodrome$used = 1;
        t.autodrome$medium++;
        return (long) ~epoch << 32 | number & 0xffffffffL;
    }

    @DontInline
    private static long freshSlow(Thread t, int site, int context) {
        int me = enter(t);
        if (t.autodrome$epoch == 0) {
            unwatched();
            return 0;
        }
        t.autodrome$used = 1;
        long word = write(me, null, 0, 0, site, context, t.autodrome$locks);
        keep(t, context, site, (int) word);
        return word;
    }

    /** A read saw this word of writes, and the program uses what it read. */
    static void checkOptimistic(Thread t, Object base, long write, int site, int context) {
        checkWrite(enter(t), base, write, site, context, t.autodrome$locks);
    }

    private static void lookAtReads(
            Object base, long before, long readsAt, int me, int site, int context, int locks) {
        for (;;) {
            long reads = U.getLongVolatile(base, readsAt);
            if (reads >= 0) {
                if (reads != before) {
                    checkReads(me, base, reads, site, context, locks);
                }
                return;
            }
            if (U.compareAndSetLong(base, readsAt, reads, 0)) {
                retire(me, base, reads, site, context, locks);
                return;
            }
        }
    }
}
