package java.lang;

import static java.lang.AutodromeLayout.*;
import static java.lang.AutodromeNumbers.*;
import static java.lang.AutodromePools.*;
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
    static final int READS = 0, WRITE = 1;

    /** After so many elements of a range that found no room in the pool, no other is tried. */
    private static final int NO_ROOM = 256;

    private AutodromeArrays() {}

    /** Calls each native method of the hooks once, as AutodromeStart says. */
    static void link() {
        read(0, null, 0, 0, 0, 0, 0);
        write(0, null, 0, 0, 0, 0, 0);
        checkWrite(0, null, 0, 0, 0, 0, 0);
        checkReads(0, null, 0, 0, 0, 0, 0);
        alike(0, null, 0, 0, 0, 1, false, 0, 0, 0);
        leave(0, null, 0, 0, 0, 1);
        AutodromeRenewal.link();
    }

    private static native long table();

    /** An access was recorded here, and the word of the other kind has changed meanwhile. */
    private static native void checkWrite(
            int me, Object array, int index, int number, int site, int context, int locks);

    private static native void checkReads(
            int me, Object array, int index, int number, int site, int context, int locks);

    /**
     * Decides an access. Gives the array's number in the upper half, if its header did not hold it, and the number of the
     * access's context if it was recorded.
     */
    private static native long read(
            int me, Object array, int index, int number, int site, int context, int locks);

    private static native long write(
            int me, Object array, int index, int number, int site, int context, int locks);

    /**
     * Decides accesses to elements of a segment with a constant stride. Gives a word of reads of theirs whose clock knows of the
     * epoch, or 0.
     */
    private static native long alike(int me, Object array, int number, int from, int to, int step, boolean isWrite,
            int site, int context, int locks);

    /** Elements with a constant stride get words of their own, the same as they had. */
    private static native void leave(int me, Object array, int number, int from, int to, int step);

    /** Distinguishes the objects that have one number in turn. */
    @ForceInline
    static long stamp(int number) {
        return U.getLong(shadow(number) & ~7L);
    }

    /** Is there an object with this number and stamp? */
    static boolean isStamp(int number, long stamp) {
        long address = shadow(number) & ~7L;
        return address != 0 && U.getLong(address) == stamp;
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
            return number == CONFINED;
        }
        long shadow = shadow(number);
        if ((shadow & 1) == 0) {
            return AutodromeThread.isMine(U.getLong(shadow + SHADOW_WORDS + ((long) index << 4) + 8 * of));
        }
        shadow = segment(shadow, index);
        index &= SEGMENT - 1;
        int at = U.getByte(shadow + INDICES + ((long) index << 1) + of) & 0xff;
        return AutodromeThread.isMine(at == POOL_OWN ? U.getLong(own(shadow, index, of)) : inPool(shadow, at));
    }

    /** Whether the current thread has read or written the element in its current epoch, as far as can be seen at once. */
    @ForceInline
    private static boolean isReadByMe(Object array, int index) {
        int number = number(array);
        if (!isNumber(number)) {
            return number == CONFINED;
        }
        long shadow = shadow(number), reads, write;
        if ((shadow & 1) == 0) {
            long words = shadow + SHADOW_WORDS + ((long) index << 4);
            reads = U.getLong(words);
            write = U.getLong(words + 8);
        } else {
            shadow = segment(shadow, index);
            index &= SEGMENT - 1;
            int both = U.getChar(shadow + INDICES + ((long) index << 1)), at = both & 0xff;
            reads = at == POOL_OWN ? U.getLong(own(shadow, index, READS)) : inPool(shadow, at);
            at = both >>> 8;
            write = at == POOL_OWN ? U.getLong(own(shadow, index, WRITE)) : inPool(shadow, at);
        }
        return AutodromeWords.isReadByMe(reads, write);
    }

    private static long word(long shadow, int index, int of) {
        if ((shadow & 1) == 0) {
            return U.getLongVolatile(null, shadow + SHADOW_WORDS + ((long) index << 4) + 8 * of);
        }
        shadow = segment(shadow, index);
        index &= SEGMENT - 1;
        int at = index(shadow, index, of);
        return at == POOL_OWN ? U.getLongVolatile(null, own(shadow, index, of)) : inPool(shadow, at);
    }

    /** Puts a new word in the place of an old one; not if the pool has no room for it. */
    private static boolean exchange(Object array, long shadow, int index, int of, long old, long next) {
        if ((shadow & 1) == 0) {
            return U.compareAndSetLong(null, shadow + SHADOW_WORDS + ((long) index << 4) + 8 * of, old, next);
        }
        shadow = segment(shadow, index);
        index &= SEGMENT - 1;
        int at = index(shadow, index, of), found;
        if (at == POOL_OWN) {
            return U.compareAndSetLong(null, own(shadow, index, of), old, next);
        }
        if (inPool(shadow, at) != old || (found = add(shadow, next, array)) == 0) {
            return false;
        }
        return U.compareAndSetByte(null, shadow + INDICES + ((long) index << 1) + of, (byte) at, (byte) found);
    }

    static void read(Object array, int index, int site, int context) {
        if (AutodromeLocksets.LOCKSETS) {
            AutodromeLocksets.element(array, index, false, site, context);
        } else if (ON && !AutodromeRuns.goesOn(array, index, site, context)
                && !isReadByMe(array, index)) {
            readAlone(array, index, site, context);
        }
    }

    static void write(Object array, int index, int site, int context) {
        if (AutodromeLocksets.LOCKSETS) {
            AutodromeLocksets.element(array, index, true, site, context);
        } else if (ON && !AutodromeRuns.goesOn(array, index, site, context) && !isMine(array, index, WRITE)) {
            writeAlone(array, index, site, context);
        }
    }

    static void readRange(Object array, int from, int to, int site, int context) {
        if (DETECTS && from < to) {
            range(array, from, to, 1, false, site, context);
        }
        AutodromeRecord.readRange(array, from, to, site);
    }

    static void writeRange(Object array, int from, int to, int site, int context) {
        if (DETECTS && from < to) {
            range(array, from, to, 1, true, site, context);
        }
        AutodromeRecord.writeRange(array, from, to, site);
    }

    /** Accesses elements with a constant stride. */
    @DontInline
    static void range(Object array, int from, int to, int step, boolean isWrite, int site, int context) {
        if (AutodromeLocksets.LOCKSETS) {
            AutodromeLocksets.range(array, from, to, step, isWrite, site, context);
            return;
        }
        Thread t = Thread.currentThread();
        if (isPrivate(t)) {
            return;
        }
        int me = enter(t), epoch = ~t.autodrome$epoch;
        if (epoch == ~0) {
            AutodromeWords.unwatched();
            return;
        }
        if (t.autodrome$optimistic != null) {
            for (int i = from; i < to; i += step) {
                access(array, i, isWrite, site, context);
            }
            return;
        }
        // A long: the last one may be the largest int.
        for (long i = from; i < to; ) {
            int base = (int) i & -SEGMENT, first = (int) i - base, end = to - base < SEGMENT ? to - base : SEGMENT;
            inSegment(t, me, epoch, array, base, first, end, step, isWrite, site, context);
            i += (end - first + step - 1) / step * step;
        }
        AutodromeThread.keepAlive(array);
    }

    /**
     * Accesses elements of one segment with a constant stride, counted from its first one. Elements of a pool that have the same
     * indices are in the same state, and come to the same state by the same access: so they take over, four at once, what became
     * of one. That must be a word of this thread alone, or the old one: a word that stands for another thread's read may be due to
     * one that came in between. No other write can be ordered before this access if it comes in between, so a word of this thread
     * follows from the old state too. Once the word of this range is in the pool, what becomes of another state of the pool
     * follows as well, if its words are ordered before.
     */
    private static void inSegment(Thread t, int me, int epoch, Object array, int base, int from, int to, int step,
            boolean isWrite, int site, int context) {
        int of = isWrite ? WRITE : READS, more = 4 / step * step - step;
        int known = AutodromeWords.known(t, context, site), ordered = epoch;
        long word = (long) epoch << 32 | known & 0xffffffffL;
        int whole = number(array);
        if (known != 0 && isNumber(whole) && (shadow(whole) & 1) != 0
                && AutodromeRenewal.renew(t, me, epoch, array, whole, segment(shadow(whole), base), base, from, to, step, of,
                        word, site, context)) {
            return;
        }
        long before = -1, after = -1, readsBefore = 0, writeBefore = 0, mine = 0;
        int left = 0;
        for (int i = from; i < to; ) {
            int number = number(array), first = i & 3;
            long shadow = !isNumber(number) ? 0 : shadow(number);
            if ((shadow & 1) == 0) {
                accessIn(t, me, epoch, array, base + i, of, site, context);
                i += step;
                continue;
            }
            shadow = segment(shadow, base);
            long place = shadow + INDICES + ((long) (i - first) << 1);
            if (step <= 2 && first < step && i + more < to) {
                long four = U.getLongVolatile(null, place), mask = (step == 1 ? -1L : EVERY_OTHER_ELEMENT) << 16 * first;
                if (((four ^ after) & mask) == 0 || areMine(shadow, four, mask, first, of)) {
                    // What comes next is mostly alike.
                    long alike = AutodromeRenewal.lastAlike(place, place + ((long) (to - more - i + 3 >> 2) << 3));
                    i += (int) (alike - place >> 3) << 2;
                    place = alike;
                    do {
                        i += 4;
                        place += 8;
                    } while (i + more < to && ((U.getLong(null, place) ^ four) & mask) == 0);
                    continue;
                }
                if (((four ^ before) & mask) == 0 && areStill(shadow, before, readsBefore, writeBefore)
                        && U.compareAndSetLong(null, place, four, four & ~mask | after & mask)) {
                    i += 4;
                    continue;
                }
            }
            place += 2 * first;
            long old = U.getShortVolatile(null, place) & 0xffffL;
            if (before != -1 && (old == (after & 0xffff)
                    || old == (before & 0xffff) && areStill(shadow, before, readsBefore, writeBefore)
                            && U.compareAndSetShort(null, place, (short) old, (short) after))) {
                i += step;
                continue;
            }
            if (old == BOTH_OWN && known != 0) {
                long own = own(shadow, i, READS), reads = U.getLongVolatile(null, own);
                long write = U.getLongVolatile(null, own + 8);
                int readsHalf = (int) (reads >>> 32), writeHalf = (int) (write >>> 32);
                boolean isThere = writeHalf == epoch || !isWrite && readsHalf == epoch;
                if (isThere || (readsHalf == ordered || isOrdered(t, reads, epoch))
                        && (writeHalf == ordered || isOrdered(t, write, epoch))
                        && exchangeOwn(t, me, array, base + i, number, isWrite, own, reads, write, word, site, context)) {
                    ordered = isThere ? ordered : writeHalf;
                    i += step;
                    continue;
                }
            }
            boolean isInPool = inPool(old);
            long reads = isInPool ? inPool(shadow, (int) old & 0xff) : 0, write = isInPool ? inPool(shadow, (int) old >>> 8) : 0;
            if (reads < 0 && !isWrite && AutodromeWords.isShared(t, reads, epoch)) {
                // The clock knows of this thread's epoch: so it does for those that come next and have it.
                before = after = old * FOUR;
                readsBefore = reads;
                writeBefore = write;
                i += step;
                continue;
            }
            if (isInPool && !(isOrdered(t, reads, epoch) && isOrdered(t, write, epoch))
                    && AutodromeWords.known(t, context, site) != 0) {
                t.autodrome$used = 1;
                long shared = alike(
                        me, array, number, base + i, base + to, step, isWrite, site, context, t.autodrome$locks);
                if (shared != 0) {
                    AutodromeWords.keepShared(t, shared, epoch);
                }
                return;
            }
            if (mine != 0 && isInPool && before != old * FOUR && isOrdered(t, reads, epoch)
                    && isOrdered(t, write, epoch) && inPool(shadow, (int) mine) == word) {
                // Now its elements are taken over, from this one on.
                before = old * FOUR;
                boolean isThere = AutodromeThread.isMine(write) || !isWrite && AutodromeThread.isMine(reads);
                after = isThere ? before : with(old, of, mine) * FOUR;
                readsBefore = reads;
                writeBefore = write;
                continue;
            }
            accessIn(t, me, epoch, array, base + i, of, site, context);
            long now = U.getShort(null, place) & 0xffffL;
            if (isInPool && inPool(now)
                    && (now == old || other(now, of) == other(old, of) && isMine(array, base + i, of))) {
                long index = other(now, 1 - of);
                mine = inPool(shadow, (int) index) == word ? index : mine;
                before = old * FOUR;
                after = now * FOUR;
                readsBefore = reads;
                writeBefore = write;
            }
            i += step;
            if (isInPool && !inPool(now) && ++left == NO_ROOM && i < to) {
                leave(me, array, number, base + i, base + to, step);
            }
        }
    }

    /** Are these still the words of these indices? Their own threads may renew them, see AutodromeRenewal. */
    @ForceInline
    private static boolean areStill(long shadow, long indices, long reads, long write) {
        return inPool(shadow, (int) indices & 0xff) == reads && inPool(shadow, (int) (indices >>> 8) & 0xff) == write;
    }

    /** Puts a word in the place of an element's own one, if that is still the one that was seen. */
    @ForceInline
    private static boolean exchangeOwn(Thread t, int me, Object array, int index, int number, boolean isWrite, long own,
            long reads, long write, long word, int site, int context) {
        if (!U.compareAndSetLong(null, isWrite ? own + 8 : own, isWrite ? write : reads, word)) {
            return false;
        }
        t.autodrome$used = 1;
        t.autodrome$medium++;
        if (isWrite ? U.getLongVolatile(null, own) != reads : U.getLongVolatile(null, own + 8) != write) {
            changed(t, me, array, index, number, isWrite, site, context);
        }
        return true;
    }

    /** Do these of four elements have one index, that of a word of the current thread in its current epoch? */
    @ForceInline
    private static boolean areMine(long shadow, long four, long mask, int first, int of) {
        long at = four >>> 16 * first + 8 * of & 0xff;
        return ((four >>> 8 * of ^ at * FOUR) & mask & EVERY_OTHER) == 0 && at != POOL_OWN
                && AutodromeThread.isMine(inPool(shadow, (int) at));
    }

    @ForceInline
    static void access(Object array, int index, boolean isWrite, int site, int context) {
        if (isWrite) {
            write(array, index, site, context);
        } else {
            read(array, index, site, context);
        }
    }

    @ForceInline
    static void accessIn(
            Thread t, int me, int epoch, Object array, int index, int of, int site, int context) {
        if (of == WRITE) {
            if (!isMine(array, index, WRITE)) {
                writeSlow(t, me, epoch, array, index, site, context);
            }
        } else if (!isMine(array, index, READS) && !isMine(array, index, WRITE)) {
            readSlow(t, me, epoch, array, index, site, context);
        }
    }

    /** The word of an element's reads or of its write, for one that only looks; 0 if it has none or does not know. */
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
        Thread t = Thread.currentThread();
        int me = enter(t), epoch = ~t.autodrome$epoch;
        if (epoch != ~0) {
            readSlow(t, me, epoch, array, index, site, context);
        }
    }

    @DontInline
    private static void readAlone(Object array, int index, int site, int context) {
        Thread t = Thread.currentThread();
        if (isPrivate(t)) {
            return;
        }
        int me = enter(t), epoch = ~t.autodrome$epoch;
        if (epoch == ~0) {
            AutodromeWords.unwatched();
        } else if (t.autodrome$optimistic == null
                || !AutodromeOptimism.holds(t, array, index, 0, site, context, true)) {
            if (readSlow(t, me, epoch, array, index, site, context)) {
                AutodromeRuns.begin(t, array, index, false, site, context);
            }
        }
    }

    @DontInline
    private static void writeAlone(Object array, int index, int site, int context) {
        Thread t = Thread.currentThread();
        if (isPrivate(t)) {
            return;
        }
        int me = enter(t), epoch = ~t.autodrome$epoch;
        if (epoch == ~0) {
            AutodromeWords.unwatched();
            return;
        }
        if (writeSlow(t, me, epoch, array, index, site, context)) {
            AutodromeRuns.begin(t, array, index, true, site, context);
        }
    }

    /** Gives whether a run may follow: the array has a pool. */
    @DontInline
    private static boolean readSlow(Thread t, int me, int epoch, Object array, int index, int site, int context) {
        t.autodrome$used = 1;
        int number = number(array), known;
        if (!isNumber(number)) {
            decided(t, array, site, context, read(me, array, index, 0, site, context, t.autodrome$locks));
            return false;
        }
        long shadow = shadow(number), reads = word(shadow, index, READS), write = word(shadow, index, WRITE);
        boolean hasPool = (shadow & 1) != 0;
        if (reads < 0 && AutodromeWords.isShared(t, reads, epoch)) {
            return hasPool;
        }
        if (isOrdered(t, reads, epoch) && isOrdered(t, write, epoch)
                && (known = AutodromeWords.known(t, context, site)) != 0) {
            if (exchange(array, shadow, index, READS, reads, (long) epoch << 32 | known & 0xffffffffL)) {
                t.autodrome$medium++;
                if (word(shadow, index, WRITE) != write) {
                    checkWrite(me, array, index, number, site, context, t.autodrome$locks);
                }
                // Until here the shadow must not become another array's.
                AutodromeThread.keepAlive(array);
                return hasPool;
            }
        }
        long decision = read(me, array, index, number, site, context, t.autodrome$locks);
        decided(t, array, site, context, decision);
        if (reads < 0 && (int) decision == 0 && word(shadow, index, READS) == reads) {
            // Nothing was recorded: the clock of reads knows of the epoch.
            AutodromeWords.keepShared(t, reads, epoch);
        }
        AutodromeThread.keepAlive(array);
        return hasPool;
    }

    @DontInline
    private static boolean writeSlow(Thread t, int me, int epoch, Object array, int index, int site, int context) {
        t.autodrome$used = 1;
        int number = number(array), known;
        if (!isNumber(number)) {
            decided(t, array, site, context, write(me, array, index, 0, site, context, t.autodrome$locks));
            return false;
        }
        long shadow = shadow(number), reads = word(shadow, index, READS), write = word(shadow, index, WRITE);
        boolean hasPool = (shadow & 1) != 0;
        if (isOrdered(t, reads, epoch) && isOrdered(t, write, epoch)
                && (known = AutodromeWords.known(t, context, site)) != 0) {
            if (exchange(array, shadow, index, WRITE, write, (long) epoch << 32 | known & 0xffffffffL)) {
                t.autodrome$medium++;
                if (word(shadow, index, READS) != reads) {
                    checkReads(me, array, index, number, site, context, t.autodrome$locks);
                }
                AutodromeThread.keepAlive(array);
                return hasPool;
            }
        }
        decided(t, array, site, context, write(me, array, index, number, site, context, t.autodrome$locks));
        return hasPool;
    }

    /** An access was recorded here, and the word of the other kind has changed meanwhile. */
    @DontInline
    static void changed(
            Thread t, int me, Object array, int index, int number, boolean isWrite, int site, int context) {
        if (isWrite) {
            checkReads(me, array, index, number, site, context, t.autodrome$locks);
        } else {
            checkWrite(me, array, index, number, site, context, t.autodrome$locks);
        }
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
