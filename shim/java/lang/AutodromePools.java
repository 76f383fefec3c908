package java.lang;

import static java.lang.AutodromeLayout.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/** The shadow of a long array: elements have indices into a pool of words (crates/agent, shadow.rs; crates/runtime, pool.rs). */
final class AutodromePools {
    private static final Unsafe U = Unsafe.getUnsafe();

    /**
     * In a shadow with a pool, from its address plus 1: the first word of the pool, below which the others lie; the address of
     * the second block; how many words the pool has; the indices.
     */
    static final int POOL = -8 - 1, SECOND = SHADOW_SECOND - 1, COUNT = SHADOW_COUNT - 1, INDICES = SHADOW_INDICES - 1;

    /** How many words, beside the empty one, a pool has room for, and that of a long array. */
    private static final int ROOM = SMALL_POOL - 1, LARGE_ROOM = POOL_OWN - 1;

    /** The indices of an element that has its own words for both kinds of access. */
    static final int BOTH_OWN = POOL_OWN << 8 | POOL_OWN;

    /** Times two indices: those of four elements in the same state. And the bytes of one kind among them. */
    static final long FOUR = 0x0001000100010001L, EVERY_OTHER = 0x00ff00ff00ff00ffL;

    /** The indices of every other one of four elements. */
    static final long EVERY_OTHER_ELEMENT = 0x0000ffff0000ffffL;

    private AutodromePools() {}

    /** The shadow of an element's segment, in a shadow with a pool. */
    @ForceInline
    static long segment(long shadow, int index) {
        return shadow + (long) (index >>> SEGMENT_BITS) * SEGMENT_STRIDE;
    }

    /** Where an element's own word lies in a shadow with a pool. */
    @ForceInline
    static long own(long shadow, int index, int of) {
        return U.getLong(shadow + SECOND) + ((long) index << 4) + 8 * of;
    }

    @ForceInline
    static long inPool(long shadow, int at) {
        return U.getLong(inPoolAt(shadow, at));
    }

    @ForceInline
    static long inPoolAt(long shadow, int at) {
        return shadow + POOL - ((long) at << 3);
    }

    /** The index of a word of the pool, or 0. */
    static int find(long shadow, long word) {
        int at = (int) U.getLong(shadow + COUNT);
        while (at > 0 && inPool(shadow, at) != word) {
            at--;
        }
        return at;
    }

    /**
     * The index of a word of the thread's epoch, which joins the pool if there is room at once; or 0. No word joins twice: that
     * of an epoch comes from its thread alone.
     */
    static int add(long shadow, long word, Object array) {
        int room = java.lang.reflect.Array.getLength(array) < LONG_ARRAY ? ROOM : LARGE_ROOM;
        long count = U.getLong(shadow + COUNT);
        int free = (int) count + 1;
        for (int at = (int) count; at > 0; at--) {
            long other = inPool(shadow, at);
            if (other == word) {
                return at;
            }
            free = other == 0 ? at : free;
        }
        if (free > room || !U.compareAndSetLong(null, inPoolAt(shadow, free), 0, word)) {
            return 0;
        }
        while ((int) count < free
                && !U.compareAndSetLong(null, shadow + COUNT, count, count & 0xffffffffL << 32 | free)) {
            count = U.getLongVolatile(null, shadow + COUNT);
        }
        return free;
    }

    /** Which word of the pool an element has, or that it has its own. */
    @ForceInline
    static int index(long shadow, int index, int of) {
        return U.getByteVolatile(null, shadow + INDICES + ((long) index << 1) + of) & 0xff;
    }

    /** Are both words of an element in the pool? Only then its indices are its state. */
    @ForceInline
    static boolean inPool(long indices) {
        return (indices & 0xff) != POOL_OWN && indices >>> 8 != POOL_OWN;
    }

    /** The index of the other kind of access than this one, in the two of an element. */
    @ForceInline
    static long other(long indices, int of) {
        return indices >>> 8 * (1 - of) & 0xff;
    }

    /** The two indices of an element, with another one of this kind. */
    @ForceInline
    static long with(long indices, int of, long index) {
        return indices & ~(0xffL << 8 * of) | index << 8 * of;
    }
}
