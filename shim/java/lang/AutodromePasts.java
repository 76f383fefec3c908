package java.lang;

import static java.lang.AutodromeLayout.*;
import static java.lang.AutodromeThread.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Pasts: immutable clock snapshots, published by a release. A cell holds the past that whoever acquires it learns.
 *
 * <p>A past is an int[]: the moment that names it, the releasing thread's epoch afterwards, then the times by slot. Whoever
 * has seen the moment has seen all of the past (crates/runtime, threads.rs), so one comparison says whether it is
 * news. A past merged from several has no moment (0). Pasts never change; the collector takes those of dead cells.
 *
 * <p>A release stands before the write that it belongs to, an acquire after the read: a reader may learn of a write that is
 * about to come. That hides a race at most, and only in that moment.
 */
final class AutodromePasts {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** A moment's time; above it is its era (crates/runtime, word.rs). */
    private static final int TIME = (1 << TIME_BITS) - 1;

    /** By era, its slot (upper half) and what its times are counted from (crates/runtime, eras.rs). */
    private static final long ERAS = eras();

    private AutodromePasts() {}

    /** Calls each native method once, see AutodromeStart. */
    static void link() {
        publish(0, 0);
        learn(0, null);
    }

    private static native long eras();

    /** Hands out all that the thread did; null if it cannot. */
    private static native int[] publish(int me, int used);

    /** The thread learns of a past for which its clock has no room yet. */
    private static native void learn(int me, int[] past);

    /** The time that the thread has seen of a slot. */
    @ForceInline
    private static int time(Thread t, int slot) {
        long clock = t.autodrome$clock;
        return clock == 0 || slot >= U.getInt(clock + CLOCK_LENGTH) ? 0 : U.getInt(U.getLong(clock + CLOCK_TIMES) + 4L * slot);
    }

    /** Has the thread seen this moment? */
    @ForceInline
    static boolean hasSeen(Thread t, int moment) {
        long era = era(moment >>> TIME_BITS);
        return isSeen(moment, time(t, slot(era)) - origin(era));
    }

    /** The same, for one who has seen so much of the moment's era. What is not a moment, but a clock of reads, is not seen. */
    @ForceInline
    static boolean isSeen(int moment, int time) {
        return moment >= 0 && (moment & TIME) <= time;
    }

    /** What is known of an era; undefined for an invalid one. */
    @ForceInline
    private static long era(int number) {
        return U.getLong(ERAS + 8L * (number & ERA_COUNT - 1));
    }

    @ForceInline
    private static int slot(long era) {
        return (int) (era >>> 32);
    }

    @ForceInline
    private static int origin(long era) {
        return (int) era;
    }

    /** The moment of a slot's time. */
    private static int moment(int slot, int time) {
        for (int number = 0; number < ERA_COUNT; number++) {
            long era = era(number);
            int in = time - origin(era);
            if (slot(era) == slot && in > 0 && in <= TIME) {
                return number << TIME_BITS | in;
            }
        }
        return 0;
    }

    /** Has the thread seen all of this past? */
    @ForceInline
    private static boolean knows(Thread t, int[] past) {
        int named = past[0];
        return named != 0 ? hasSeen(t, named) : knowsAll(t, past);
    }

    @DontInline
    private static boolean knowsAll(Thread t, int[] past) {
        for (int i = PAST_TIMES; i < past.length; i++) {
            if (past[i] > time(t, i - PAST_TIMES)) {
                return false;
            }
        }
        return true;
    }

    /** The thread acquires what a cell holds. */
    @ForceInline
    static void acquire(Object cell) {
        acquire(cell, AutodromeRecord.RECORDING, null);
    }

    /** The same, of a cell that belongs to an object. */
    @ForceInline
    static void acquire(Object cell, Object of) {
        acquire(cell, AutodromeRecord.RECORDING, of);
    }

    /** The same, for a monitor: recordings have monitors themselves. */
    @ForceInline
    static void acquireMonitor(Object cell) {
        acquire(cell, false, null);
    }

    @ForceInline
    private static void acquire(Object cell, boolean isRecorded, Object of) {
        if (cell != null && !AutodromeLocksets.SIMPLE) {
            Thread t = Thread.currentThread();
            // What the thread knows already may have come by a lock, whose order a predictor may change.
            if (isRecorded && (AutodromeHidden.HIDES || cell != t.autodrome$received)) {
                logReceive(t, (int[]) cell, of);
            }
            if (cell != t.autodrome$past && !knows(t, (int[]) cell)) {
                acquireSlow(t, (int[]) cell);
            }
        }
    }

    @DontInline
    private static void acquireSlow(Thread t, int[] past) {
        if (learnsNow(t)) {
            AutodromeOptimism.learn(t);
            AutodromeRuns.end(t);
            int me = enter(t);
            t.autodrome$past = null;
            add(t, me, past);
        }
    }

    /** The thread learns of a past, as one who asks that has entered and knows no more what it handed on. */
    static void add(Thread t, int me, int[] past) {
        long clock = t.autodrome$clock;
        if (clock == 0 || past.length - PAST_TIMES > U.getInt(clock + CLOCK_ROOM)) {
            learn(me, past);
            return;
        }
        long times = U.getLong(clock + CLOCK_TIMES) - 4L * PAST_TIMES;
        for (int i = PAST_TIMES; i < past.length; i++) {
            if (past[i] > U.getInt(times + 4L * i)) {
                U.putInt(times + 4L * i, past[i]);
            }
        }
        if (past.length - PAST_TIMES > U.getInt(clock + CLOCK_LENGTH)) {
            U.putInt(clock + CLOCK_LENGTH, past.length - PAST_TIMES);
        }
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
        int me = enter(t);
        long clock = t.autodrome$clock;
        if (clock != 0 && U.getInt(clock + CLOCK_IS_TAKEN) != 0) {
            // What the thread learned since then they have not seen: that time must name no past.
            U.putInt(clock + CLOCK_IS_TAKEN, 0);
            publishNext(t, me);
        }
        int[] past = publishNext(t, me);
        int[] ending = t.autodrome$ending;
        if (ending != null) {
            // Not to be found again once that is over.
            t.autodrome$past = null;
            if (AutodromeRecord.RECORDING && past != null) {
                // A past without a moment is not recorded where it is released.
                logSend(t, past, null);
            }
            return past != null ? merged(past, ending) : ending;
        }
        t.autodrome$past = past != null ? past : t.autodrome$past;
        return past;
    }

    /**
     * Until further notice the carrier hands on, with its own past, all that a virtual thread did which has ended. It does not
     * learn of that itself: what comes after the end of another thread on the same carrier is not ordered by this one.
     */
    static void handOn(Thread carrier, int[] past) {
        carrier.autodrome$past = null;
        carrier.autodrome$ending = past;
    }

    /** A virtual thread is about to end. */
    static void beforeEnd(Thread ended) {
        if (ended.autodrome$epoch != 0 && AutodromeHidden.records(ended)) {
            AutodromeHidden.logPast(ended.autodrome$id, true, ~ended.autodrome$epoch, null);
        }
    }

    /** The thread's past, which its present moment names; it goes on to the next one. */
    private static int[] publishNext(Thread t, int me) {
        int named = ~t.autodrome$epoch;
        int[] past;
        if (named == ~0 || (named & TIME) == TIME) {
            // Without an era no moment names the past; and after an era's last time comes another era.
            past = publish(me, t.autodrome$used);
        } else {
            past = copy(t.autodrome$clock, named);
        }
        if (past != null) {
            tick(t, past[1]);
            t.autodrome$used = 0;
        }
        return past;
    }

    /** The thread's clock as a past that this moment names; the thread goes on to the next one. */
    private static int[] copy(long clock, int named) {
        int length = U.getInt(clock + CLOCK_LENGTH);
        long times = U.getLong(clock + CLOCK_TIMES);
        int[] past = new int[PAST_TIMES + length];
        past[0] = named;
        past[1] = named + 1;
        for (int i = 0; i < length; i++) {
            past[PAST_TIMES + i] = U.getInt(times + 4L * i);
        }
        long era = era(named >>> TIME_BITS);
        U.putInt(times + 4L * slot(era), origin(era) + (named & TIME) + 1);
        return past;
    }

    /** The thread adds its past to the cell at an offset of an object. */
    @ForceInline
    static void release(Object o, long at) {
        release(o, at, AutodromeRecord.RECORDING, o);
    }

    /** The same, where the cell belongs to another object. */
    @ForceInline
    static void release(Object o, long at, Object of) {
        release(o, at, AutodromeRecord.RECORDING, of);
    }

    /** The same, for a monitor: recordings have monitors themselves. */
    @ForceInline
    static void releaseMonitor(Object o, long at) {
        release(o, at, false, null);
    }

    @ForceInline
    private static void release(Object o, long at, boolean isRecorded, Object of) {
        Thread t = Thread.currentThread();
        if (t.autodrome$quiet == 0 && !AutodromeLocksets.SIMPLE) {
            int[] mine = mine(t);
            if (mine != null && U.getReferenceAcquire(o, at) != mine) {
                if (isRecorded) {
                    logSend(t, mine, of);
                }
                put(t, o, at, mine);
            }
        }
    }

    // In a recording a past is a message, which the moment that names it stands for. Of a past merged from several, the last
    // moment of each slot names one of them, or none that was ever sent.

    /** What the thread sent and received in a hidden method nobody will know of: it is sent again. */
    static void repeat(Thread t) {
        t.autodrome$used = 1;
        t.autodrome$received = null;
    }

    private static void logSend(Thread t, int[] past, Object of) {
        if ((AutodromeHidden.HIDES || t.autodrome$sent != past) && past[0] != 0 && AutodromeHidden.records(t)) {
            t.autodrome$sent = past;
            AutodromeHidden.logPast(enter(t), true, past[0], AutodromeHidden.HIDES ? of : null);
        }
    }

    @DontInline
    private static void logReceive(Thread t, int[] past, Object of) {
        if (t.autodrome$quiet != 0 || past == t.autodrome$past || !AutodromeHidden.records(t)) {
            return;
        }
        int me = enter(t);
        t.autodrome$received = past;
        Object through = AutodromeHidden.HIDES ? of : null;
        if (past[0] != 0) {
            AutodromeHidden.logPast(me, false, past[0], through);
            return;
        }
        for (int i = PAST_TIMES; i < past.length; i++) {
            if (past[i] != 0) {
                AutodromeHidden.logPast(me, false, moment(i - PAST_TIMES, past[i]), through);
            }
        }
    }

    @DontInline
    private static void put(Thread t, Object o, long at, int[] mine) {
        Object old = U.getReferenceAcquire(o, at);
        for (;;) {
            int[] before = (int[]) old;
            Object next = before == null || knows(t, before) ? mine : merged(mine, before);
            Object seen = U.compareAndExchangeReference(o, at, old, next);
            if (seen == old) {
                return;
            }
            old = seen;
        }
    }

    /** Adds the thread's last release fence to the cell at an offset of an object. The thread may have learned of more since. */
    static void releaseFence(Thread t, Object o, long at) {
        int[] fence = t.autodrome$fence;
        Object old = U.getReferenceAcquire(o, at);
        while (old != fence) {
            Object next = old == null ? fence : merged(fence, (int[]) old);
            Object seen = U.compareAndExchangeReference(o, at, old, next);
            if (seen == old) {
                return;
            }
            old = seen;
        }
    }

    /** Keeps what a cell holds for the thread's next acquire fence. */
    static void keep(Object cell) {
        Thread t = Thread.currentThread();
        int[] kept = t.autodrome$unfenced;
        if (cell != kept && cell != t.autodrome$past && t.autodrome$quiet == 0 && !AutodromeLocksets.SIMPLE
                && !knows(t, (int[]) cell)) {
            t.autodrome$unfenced = kept == null ? (int[]) cell : merged((int[]) cell, kept);
        }
    }

    private static int[] merged(int[] one, int[] other) {
        int[] longer = one.length > other.length ? one : other, shorter = longer == one ? other : one;
        int[] both = new int[longer.length];
        for (int i = PAST_TIMES; i < longer.length; i++) {
            both[i] = i < shorter.length && shorter[i] > longer[i] ? shorter[i] : longer[i];
        }
        return both;
    }
}
