package java.lang;

import static java.lang.AutodromeThread.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Pasts: what a thread hands on when it releases, as a value. A cell holds the past that whoever acquires it learns.
 *
 * <p>A past is an int[]: the moment that names it, the releasing thread's epoch afterwards, then the times by slot. Whoever
 * has seen the moment has seen all of the past (crates/runtime, threads.rs), so one comparison tells whether it is
 * news. A past merged from several has no moment (0). Pasts never change; the collector takes those of dead cells.
 *
 * <p>A release stands before the write that it belongs to, an acquire after the read: a reader may learn of a write that is
 * about to come. That hides a race at most, and only in that moment.
 */
final class AutodromePasts {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Where in a past the times start. */
    private static final int TIMES = 2;

    /** An epoch's time; above it is its slot (crates/runtime, word.rs). */
    private static final int TIME_BITS = 20, TIME = (1 << TIME_BITS) - 1;

    private AutodromePasts() {}

    /** Calls each native method once, see AutodromeShim. */
    static void link() {
        publish(0, 0);
        learn(0, null, null);
    }

    /** Hands out all that the thread did; null if it cannot. */
    private static native int[] publish(int me, int used);

    /** The thread learns of a past; writes what it knows then into `known`, as far as there is room. */
    private static native void learn(int me, int[] past, int[] known);

    /** Has the thread seen all of this past, as far as it remembers? */
    @ForceInline
    private static boolean knows(Thread t, int[] past) {
        int[] known = t.autodrome$known;
        int named = past[0], at = (named >>> TIME_BITS) + TIMES;
        return named != 0 && known != null && at < known.length && (named & TIME) <= known[at];
    }

    private static boolean knowsAll(Thread t, int[] past) {
        int[] known = t.autodrome$known;
        for (int i = TIMES; i < past.length; i++) {
            if (past[i] != 0 && (known == null || i >= known.length || past[i] > known[i])) {
                return false;
            }
        }
        return true;
    }

    /** The thread acquires what a cell holds. */
    @ForceInline
    static void acquire(Object cell) {
        if (cell != null) {
            Thread t = Thread.currentThread();
            if (cell != t.autodrome$past && !knows(t, (int[]) cell)) {
                acquireSlow(t, (int[]) cell);
            }
        }
    }

    @DontInline
    private static void acquireSlow(Thread t, int[] past) {
        if (t.autodrome$quiet == 0) {
            int me = enter(t);
            if (past[0] != 0 || !knowsAll(t, past)) {
                t.autodrome$past = null;
                learn(me, past, known(t, past.length));
            }
        }
    }

    /** What the thread remembers of its clock, with room for so many. */
    private static int[] known(Thread t, int length) {
        int[] known = t.autodrome$known;
        if (known == null || known.length < length) {
            int[] longer = new int[length + 6];
            for (int i = 0; known != null && i < known.length; i++) {
                longer[i] = known[i];
            }
            t.autodrome$known = known = longer;
        }
        return known;
    }

    /** The past of the thread now; null if it has none to hand out. */
    @ForceInline
    private static int[] mine(Thread t) {
        int[] past = t.autodrome$past;
        return past != null && t.autodrome$used == 0 ? past : publishSlow(t);
    }

    @DontInline
    private static int[] publishSlow(Thread t) {
        AutodromeOptimism.give(t);
        int[] past = publish(enter(t), t.autodrome$used);
        if (past != null) {
            int named = past[0], at = (named >>> TIME_BITS) + TIMES;
            if (named != 0) {
                known(t, at + 1)[at] = named & TIME;
            }
            tick(t, past[1]);
            t.autodrome$used = 0;
            t.autodrome$past = past;
        }
        return past;
    }

    /** The thread adds its past to the cell at an offset of an object. */
    @ForceInline
    static void release(Object o, long at) {
        Thread t = Thread.currentThread();
        if (t.autodrome$quiet == 0) {
            int[] mine = mine(t);
            if (mine != null && U.getReferenceAcquire(o, at) != mine) {
                put(t, o, at, mine);
            }
        }
    }

    @DontInline
    private static void put(Thread t, Object o, long at, int[] mine) {
        Object old = U.getReferenceAcquire(o, at);
        for (;;) {
            int[] before = (int[]) old;
            Object next = before == null || knows(t, before) || before[0] == 0 && knowsAll(t, before)
                    ? mine : merged(mine, before);
            Object seen = U.compareAndExchangeReference(o, at, old, next);
            if (seen == old) {
                return;
            }
            old = seen;
        }
    }

    private static int[] merged(int[] one, int[] other) {
        int[] longer = one.length > other.length ? one : other, shorter = longer == one ? other : one;
        int[] both = new int[longer.length];
        for (int i = TIMES; i < longer.length; i++) {
            both[i] = i < shorter.length && shorter[i] > longer[i] ? shorter[i] : longer[i];
        }
        return both;
    }
}
