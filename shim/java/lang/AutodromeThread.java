package java.lang;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What the shim keeps in a thread: its number, and the epoch of its next step.
 *
 * <p>The epoch is kept as its complement, so that the 0 of a thread that no hook has seen yet, and of one that waits, equals
 * no word.
 */
final class AutodromeThread {
    /** Whether hooks do anything: constant, so that the compiler removes them if not. */
    static final boolean ON = isOn();

    /** Whether they look for races, and do not only record: constant. */
    static final boolean DETECTS = detects();

    private AutodromeThread() {}

    /** Calls each native method once, see AutodromeShim. */
    static void link() {
        attach(null);
        resume(0, false);
        clock(0);
    }

    private static native boolean isOn();

    private static native boolean detects();

    /** Gives the current thread a number and an epoch. */
    private static native int attach(Thread thread);

    /** The thread goes on, after a wait or not; its epoch, or 0 if it is not watched. */
    private static native int resume(int me, boolean waited);

    /** Where the clock of a thread lies. */
    static native long clock(int me);

    /** The number of the current thread, which is watched from here on. */
    @ForceInline
    static int enter(Thread t) {
        return t.autodrome$epoch != 0 ? t.autodrome$id : enterSlow(t);
    }

    /** The number of the current thread, which is about to learn of others. */
    static int learns(Thread t) {
        AutodromeRuns.end(t);
        t.autodrome$past = null;
        return enter(t);
    }

    @DontInline
    private static int enterSlow(Thread t) {
        if (t.autodrome$id == 0) {
            t.autodrome$id = attach(t);
            t.autodrome$clock = clock(t.autodrome$id);
        }
        t.autodrome$past = null;
        Object waits = t.autodrome$waits;
        t.autodrome$waits = null;
        tick(t, resume(t.autodrome$id, waits != null));
        if (waits != null) {
            // Whoever goes on after a wait has the monitor again.
            AutodromeCells.acquireMonitor(waits);
        }
        if (AutodromeRecord.RECORDING) {
            AutodromeRecord.logWake(t.autodrome$id);
        }
        return t.autodrome$id;
    }

    @ForceInline
    static void tick(Thread t, int epoch) {
        int next = epoch == 0 ? 0 : ~epoch;
        if (t.autodrome$epoch != next) {
            if (AutodromeLocksets.DETAILED) {
                t.autodrome$token = 0;
            }
            t.autodrome$epoch = next;
            t.autodrome$used = 0;
            t.autodrome$past = null;
        }
    }

    /** The object is reachable until here; the JDK's own method for that is woven. */
    @DontInline
    static void keepAlive(Object o) {}

    @ForceInline
    static boolean isMine(long word) {
        Thread t = Thread.currentThread();
        return (int) (word >>> 32) == ~(AutodromeLocksets.LOCKSETS ? t.autodrome$token : t.autodrome$epoch);
    }
}
