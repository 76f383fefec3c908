package java.lang;

import static java.lang.AutodromeLayout.*;
import static java.lang.AutodromeThread.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/** What loops accessed, reported where they end (crates/weave, loops.rs). */
final class AutodromeLoops {
    private AutodromeLoops() {}

    /** The epoch in which a loop begins. */
    @ForceInline
    static int begin() {
        Thread t = Thread.currentThread();
        return t.autodrome$epoch != 0 ? t.autodrome$epoch : beginSlow(t);
    }

    @DontInline
    private static int beginSlow(Thread t) {
        if (ON) {
            enter(t);
        }
        return t.autodrome$epoch;
    }

    /**
     * A loop that began in this epoch has accessed elements from one on, up to but without the next one; or one, if the step is 0.
     */
    @ForceInline
    static void end(Object array, int from, int next, int step, int epoch, boolean isWrite, int site, int context) {
        if (!AutodromeLocksets.BY_ARRAY) {
            report(array, from, next, step, epoch, isWrite, site, context);
        } else if (from != next && Thread.currentThread().autodrome$epoch == epoch) {
            // All elements are one variable.
            AutodromeLocksets.element(array, from, isWrite, site, context);
        }
    }

    @DontInline
    private static void report(
            Object array, int from, int next, int step, int epoch, boolean isWrite, int site, int context) {
        Thread t = Thread.currentThread();
        if (ON && from != next && t.autodrome$epoch == epoch
                && AutodromeNumbers.number(array) != CONFINED) {
            if (step == 0) {
                one(array, from, isWrite, site, context);
            } else {
                AutodromeRuns.loop(t, array, from, next, step, isWrite, site, context);
            }
        }
    }

    @DontInline
    private static void one(Object array, int index, boolean isWrite, int site, int context) {
        AutodromeArrays.access(array, index, isWrite, site, context);
    }
}
