package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * Optimistic reads of a StampedLock: what a thread reads between tryOptimisticRead() and validate().
 *
 * <p>Such reads are held. If validate() says that nobody wrote, they stand where the stamp was taken: each must come after the
 * write that it saw, but later writes may follow without order. If it says that somebody did, the program throws what it
 * read away. If it is never asked, they were plain reads.
 */
final class AutodromeOptimism {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** How many reads are held at most; beyond, they count as plain ones. */
    private static final int MOST = 256;

    /** A read of a field, or of an element (then `offsets` is its index and `isElement` is set). */
    static final class Held {
        final Object base;
        final long offsets;
        final long write;
        final int site;
        final int context;
        final boolean isElement;

        Held(Object base, long offsets, long write, int site, int context, boolean isElement) {
            this.base = base;
            this.offsets = offsets;
            this.write = write;
            this.site = site;
            this.context = context;
            this.isElement = isElement;
        }
    }

    private AutodromeOptimism() {}

    /** From here on the thread's reads are held. */
    static void begin(Thread t) {
        give(t);
        t.autodrome$optimistic = new Object[0];
    }

    /** Holds a read, if the thread is optimistic; says whether it did. */
    static boolean holds(Thread t, Object base, long offsets, long write, int site, int context, boolean isElement) {
        Object[] held = t.autodrome$optimistic;
        if (held == null) {
            return false;
        }
        if (held.length == MOST) {
            give(t);
            return false;
        }
        Object[] more = new Object[held.length + 1];
        for (int i = 0; i < held.length; i++) {
            more[i] = held[i];
        }
        more[held.length] = new Held(base, offsets, write, site, context, isElement);
        t.autodrome$optimistic = more;
        // Whatever the thread hands on before it validates, comes after these reads: so they are given before.
        t.autodrome$used = 1;
        return true;
    }

    /** The stamp was validated: nobody wrote since it was taken, or somebody may have. */
    static void end(Thread t, boolean isValid) {
        Object[] held = t.autodrome$optimistic;
        t.autodrome$optimistic = null;
        for (int i = 0; isValid && held != null && i < held.length; i++) {
            Held read = (Held) held[i];
            if (!read.isElement) {
                AutodromeWords.checkOptimistic(t, read.base, read.write, read.site, read.context);
            }
        }
    }

    /**
     * The thread hands on what it did, or takes another stamp: its runs end, and the reads held, if any, were plain ones.
     */
    static void give(Thread t) {
        AutodromeRuns.end(t);
        Object[] held = t.autodrome$optimistic;
        if (held == null) {
            return;
        }
        t.autodrome$optimistic = null;
        for (int i = 0; i < held.length; i++) {
            Held read = (Held) held[i];
            if (read.isElement) {
                AutodromeArrays.readAgain(read.base, (int) read.offsets, read.site, read.context);
            } else {
                AutodromeWords.readSlow(
                        read.base, U.getLongVolatile(read.base, read.offsets >>> 32), read.offsets, read.site, read.context);
            }
        }
    }
}
