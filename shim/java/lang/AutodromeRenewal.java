package java.lang;

import static java.lang.AutodromeArrays.*;
import static java.lang.AutodromeLayout.*;
import static java.lang.AutodromePools.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.util.ArraysSupport;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Elements that are accessed together again and again, epoch after epoch. They have one word of the pool, which no other has:
 * then the word itself is renewed, instead of the index of each element.
 *
 * <p>The word is of an epoch that is ordered before and hence past, so nobody gives it to another element any more. All elements
 * are looked at before, to see that those of the range have it and no others do, and that all other accesses are ordered before;
 * and those of the range again afterwards. Whoever accesses one of them meanwhile has either put in an index that is seen
 * then, or sees the new word; of two that renew one word, one fails. What it may miss: who has looked at the old word and
 * is held up before it puts in its index until all this is over.
 */
final class AutodromeRenewal {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** In each byte: its lowest bit, its highest one, all others. */
    private static final long LOWEST = 0x0101010101010101L, HIGHEST = LOWEST << 7, OTHERS = ~HIGHEST;

    /** Fewer elements are not worth it; nor are ranges of an array that is more than so many times as long. */
    private static final int FEWEST = 32, SHARE = 8;

    /** Fewer groups are looked at faster one by one. */
    private static final int MANY = 8;

    private AutodromeRenewal() {}

    /** Makes the JDK's classes ready that this needs: nothing is to be initialised in the middle of an access. */
    static void link() {
        ArraysSupport.vectorizedMismatch(null, 0, null, 0, 0, ArraysSupport.LOG2_ARRAY_LONG_INDEX_SCALE);
    }

    /** Of the groups of four elements before an end, the last that is like this one, as are all between. */
    @ForceInline
    static long lastAlike(long place, long end) {
        int others = (int) (end - place >> 3) - 1;
        if (others < MANY) {
            return place;
        }
        // All are alike if each is like its neighbour: the processor compares many at once.
        int differs = ArraysSupport.vectorizedMismatch(
                null, place, null, place + 8, others, ArraysSupport.LOG2_ARRAY_LONG_INDEX_SCALE);
        return place + 8L * (differs < 0 ? others : differs);
    }

    /**
     * The thread has accessed these elements of a segment, counted from its first one. Gives whether that is recorded;
     * then it was, for all of them.
     */
    static boolean renew(Thread t, int me, int epoch, Object array, int number, long shadow, int base, int from, int to,
            int step, int of, long word, int site, int context) {
        int length = Math.min(java.lang.reflect.Array.getLength(array) - base, SEGMENT);
        if (step > 8 || (step & step - 1) != 0 || (to - from) / step < FEWEST || length / SHARE > to - from) {
            return false;
        }
        int at = index(shadow, from, of);
        long old = at == POOL_OWN ? 0 : inPool(shadow, at);
        int half = (int) (old >>> 32);
        // No word is to be in the pool twice.
        if (half == 0 || half == epoch || !isOrderedBefore(t, epoch, old) || find(shadow, word) != 0) {
            return false;
        }
        long[] ordered = none(t);
        if (ordered == null) {
            return false;
        }
        // The last element of the range; the groups of four with the first one and the last one; how far apart such groups are.
        int end = from + (to - 1 - from) / step * step, first = from >> 2, last = end >> 2, hop = step == 8 ? 2 : 1;
        long inner = mask(step, from), low = inner & -1L << 16 * (from & 3), high = inner & -1L >>> 16 * (3 - (end & 3));
        if (!look(t, epoch, shadow, 0, first, 1, 0, at, of, ordered)
                || !look(t, epoch, shadow, first, first + 1, 1, low, at, of, ordered)
                || !look(t, epoch, shadow, first + hop, last, hop, inner, at, of, ordered)
                || !look(t, epoch, shadow, last, last + 1, 1, high, at, of, ordered)
                || hop == 2 && !look(t, epoch, shadow, first + 1, last, hop, 0, at, of, ordered)
                || !look(t, epoch, shadow, last + 1, length + 3 >> 2, 1, 0, at, of, ordered)
                || !U.compareAndSetLong(null, inPoolAt(shadow, at), old, word)) {
            return false;
        }
        t.autodrome$used = 1;
        t.autodrome$medium++;
        keepOrdered(t, epoch, shadow, ordered);
        // There are no four elements like that.
        long alike = -1;
        for (int group = first; group <= last; group += hop) {
            long mask = group == first ? low : group == last ? high : inner;
            long place = shadow + INDICES + ((long) group << 3), four = U.getLongVolatile(null, place);
            if (four == alike && mask == inner) {
                continue;
            }
            if ((four >>> 8 * of & EVERY_OTHER & mask) != (at * LOWEST & EVERY_OTHER & mask)
                    || isOther(four >>> 8 * (1 - of) & EVERY_OTHER, mask, ordered)) {
                again(t, me, epoch, array, number, shadow, base, group, mask, of, ordered, site, context);
            } else if (mask == inner) {
                alike = four;
                if (hop == 1 && group != first && group < last) {
                    group += (int) (lastAlike(place, shadow + INDICES + ((long) last << 3)) - place >> 3);
                }
            }
        }
        return true;
    }

    /** No indices, as bits; null if there is no memory. */
    private static long[] none(Thread t) {
        long[] bits = t.autodrome$ordered;
        if (bits == null) {
            try {
                t.autodrome$ordered = bits = new long[4];
            } catch (OutOfMemoryError none) {
                return null;
            }
        }
        bits[0] = bits[1] = bits[2] = bits[3] = 0;
        return bits;
    }

    @ForceInline
    private static boolean has(long[] bits, int index) {
        return (bits[index >> 6] >>> index & 1) != 0;
    }

    /** Which of four elements are of a range, both bytes of each; those of a group inside. */
    private static long mask(int step, int from) {
        return step == 1 ? -1L : step == 2 ? EVERY_OTHER_ELEMENT << 16 * (from & 1) : 0xffffL << 16 * (from & 3);
    }

    /**
     * Looks at some groups, each or every other one: do only the elements of the range have the word, and are the words of the
     * other kind of theirs ordered before? Adds the indices of these.
     */
    private static boolean look(
            Thread t, int epoch, long shadow, int from, int to, int hop, long mask, int at, int of, long[] ordered) {
        long place = shadow + INDICES + ((long) from << 3), end = shadow + INDICES + ((long) to << 3);
        long wanted = (HIGHEST & EVERY_OTHER << 8 * of) & mask, before = 0;
        boolean isFirst = true;
        for (; place < end; place += 8 * hop) {
            long four = U.getLong(null, place);
            if (four == before && !isFirst) {
                continue;
            }
            isFirst = false;
            before = four;
            long differs = four ^ at * LOWEST;
            if ((~((differs & OTHERS) + OTHERS | differs | OTHERS)) != wanted) {
                return false;
            }
            for (int i = 0; i < 4; i++) {
                int other = (int) (four >>> 16 * i + 8 * (1 - of)) & 0xff;
                if ((mask >>> 16 * i & 1) != 0 && !has(ordered, other)) {
                    if (other == POOL_OWN || !isOrderedBefore(t, epoch, inPool(shadow, other))) {
                        return false;
                    }
                    ordered[other >> 6] |= 1L << other;
                }
            }
            place = hop == 1 ? lastAlike(place, end) : place;
        }
        return true;
    }

    private static boolean isOrderedBefore(Thread t, int epoch, long word) {
        return word >= 0 && AutodromeWords.isOrdered(t, (int) (word >>> 32), epoch);
    }

    /** Keeps those of the indices whose words are still ordered before. */
    private static void keepOrdered(Thread t, int epoch, long shadow, long[] indices) {
        for (int i = 0; i < indices.length; i++) {
            for (long rest = indices[i]; rest != 0; rest &= rest - 1) {
                int at = i << 6 | Long.numberOfTrailingZeros(rest);
                if (!isOrderedBefore(t, epoch, U.getLongVolatile(null, inPoolAt(shadow, at)))) {
                    indices[i] &= ~Long.lowestOneBit(rest);
                }
            }
        }
    }

    /** Is one of these indices, of four elements, not among those? */
    private static boolean isOther(long four, long mask, long[] indices) {
        for (int i = 0; i < 4; i++) {
            if ((mask >>> 16 * i & 1) != 0 && !has(indices, (int) (four >>> 16 * i) & 0xff)) {
                return true;
            }
        }
        return false;
    }

    /** Somebody else has accessed elements of this group meanwhile. */
    private static void again(Thread t, int me, int epoch, Object array, int number, long shadow, int base, int group,
            long mask, int of, long[] ordered, int site, int context) {
        for (int i = 0; i < 4; i++) {
            if ((mask >>> 16 * i & 1) != 0) {
                int index = 4 * group + i;
                accessIn(t, me, epoch, array, base + index, of, site, context);
                if (!has(ordered, index(shadow, index, 1 - of))) {
                    changed(t, me, array, base + index, number, of == WRITE, site, context);
                }
            }
        }
    }
}
