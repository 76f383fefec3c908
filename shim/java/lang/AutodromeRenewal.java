package java.lang;

import static java.lang.AutodromeArrays.*;

import jdk.internal.misc.Unsafe;

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

    /** No set of indices: there is none of 63. */
    private static final long NOT = -1;

    /** Fewer elements are not worth it; nor are ranges of an array that is more than so many times as long. */
    private static final int FEWEST = 32, SHARE = 8;

    private AutodromeRenewal() {}

    /** The thread has accessed these elements. Gives whether that is recorded; then it was, for all of them. */
    static boolean renew(Thread t, int me, int epoch, Object array, int number, long shadow, int from, int to, int step,
            int of, long word, int site, int context) {
        int length = java.lang.reflect.Array.getLength(array);
        if (step > 8 || (step & step - 1) != 0 || (to - from) / step < FEWEST || length / SHARE > to - from) {
            return false;
        }
        int at = U.getByte(shadow + INDICES + ((long) from << 1) + of);
        long old = at == OWN ? 0 : inPool(shadow, at);
        int half = (int) (old >>> 32);
        if (half == 0 || half == epoch || !isOrderedBefore(t, epoch, old) || has(shadow, word)) {
            return false;
        }
        // The last element of the range; the groups of four with the first one and the last one; how far apart such groups are.
        int end = from + (to - 1 - from) / step * step, first = from >> 2, last = end >> 2, hop = step == 8 ? 2 : 1;
        long inner = mask(step, from), low = inner & -1L << 16 * (from & 3), high = inner & -1L >>> 16 * (3 - (end & 3));
        long ordered = look(t, epoch, shadow, 0, first, 1, 0, at, of, 0);
        ordered = look(t, epoch, shadow, first, first + 1, 1, low, at, of, ordered);
        ordered = look(t, epoch, shadow, first + hop, last, hop, inner, at, of, ordered);
        ordered = look(t, epoch, shadow, last, last + 1, 1, high, at, of, ordered);
        if (hop == 2) {
            ordered = look(t, epoch, shadow, first + 1, last, hop, 0, at, of, ordered);
        }
        ordered = look(t, epoch, shadow, last + 1, length + 3 >> 2, 1, 0, at, of, ordered);
        if (ordered == NOT || !U.compareAndSetLong(null, shadow + POOL + ((long) at << 3), old, word)) {
            return false;
        }
        t.autodrome$used = 1;
        t.autodrome$medium++;
        ordered = stillOrdered(t, epoch, shadow, ordered);
        long alike = NOT;
        for (int group = first; group <= last; group += hop) {
            long mask = group == first ? low : group == last ? high : inner;
            long four = U.getLongVolatile(null, shadow + INDICES + ((long) group << 3));
            if (four == alike && mask == inner) {
                continue;
            }
            if ((four >>> 8 * of & EVERY_OTHER & mask) != (at * LOWEST & EVERY_OTHER & mask)
                    || isOther(four >>> 8 * (1 - of) & EVERY_OTHER, mask, ordered)) {
                again(t, me, epoch, array, number, shadow, group, mask, of, ordered, site, context);
            } else if (mask == inner) {
                alike = four;
            }
        }
        return true;
    }

    /** Is a word in the pool? None is to be there twice. */
    private static boolean has(long shadow, long word) {
        for (int i = (int) inPool(shadow, OWN); i > 0; i--) {
            if (inPool(shadow, i) == word) {
                return true;
            }
        }
        return false;
    }

    /** Which of four elements are of a range, both bytes of each; those of a group inside. */
    private static long mask(int step, int from) {
        return step == 1 ? -1L : step == 2 ? EVERY_OTHER_ELEMENT << 16 * (from & 1) : 0xffffL << 16 * (from & 3);
    }

    /**
     * Looks at some groups, each or every other one: only the elements of the range have the word, and the words of the other
     * kind of theirs are ordered before. Gives the indices of these, more than those known before; NOT if it is otherwise.
     */
    private static long look(
            Thread t, int epoch, long shadow, int from, int to, int hop, long mask, int at, int of, long ordered) {
        if (ordered == NOT) {
            return NOT;
        }
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
                return NOT;
            }
            for (int i = 0; i < 4; i++) {
                int other = (int) (four >>> 16 * i + 8 * (1 - of)) & 0xff;
                if ((mask >>> 16 * i & 1) != 0 && (ordered >>> other & 1) == 0) {
                    if (other == OWN || !isOrderedBefore(t, epoch, inPool(shadow, other))) {
                        return NOT;
                    }
                    ordered |= 1L << other;
                }
            }
        }
        return ordered;
    }

    private static boolean isOrderedBefore(Thread t, int epoch, long word) {
        return word >= 0 && AutodromeWords.isOrdered(t, (int) (word >>> 32), epoch);
    }

    /** Those of the indices whose words are still ordered before. */
    private static long stillOrdered(Thread t, int epoch, long shadow, long indices) {
        for (int i = 0; i < OWN; i++) {
            if ((indices >>> i & 1) != 0
                    && !isOrderedBefore(t, epoch, U.getLongVolatile(null, shadow + POOL + ((long) i << 3)))) {
                indices &= ~(1L << i);
            }
        }
        return indices;
    }

    /** Is one of these indices, of four elements, not among those? */
    private static boolean isOther(long four, long mask, long indices) {
        for (int i = 0; i < 4; i++) {
            if ((mask >>> 16 * i & 1) != 0 && (indices >>> (int) (four >>> 16 * i) & 1) == 0) {
                return true;
            }
        }
        return false;
    }

    /** Somebody else has accessed elements of this group meanwhile. */
    private static void again(Thread t, int me, int epoch, Object array, int number, long shadow, int group, long mask,
            int of, long ordered, int site, int context) {
        for (int i = 0; i < 4; i++) {
            if ((mask >>> 16 * i & 1) != 0) {
                int index = 4 * group + i;
                accessIn(t, me, epoch, array, index, of, site, context);
                int other = U.getByteVolatile(null, shadow + INDICES + ((long) index << 1) + 1 - of);
                if ((ordered >>> other & 1) == 0) {
                    changed(t, me, array, index, number, of == WRITE, site, context);
                }
            }
        }
    }
}
