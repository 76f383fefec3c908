package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Runs: elements of an array that one instruction accesses one after another, with a constant stride, or that a loop reports at
 * its end. They are recorded together, when the run breaks off or the thread next synchronizes.
 *
 * <p>Until then nobody else can learn of them, and the thread learns of nobody else: so what is recorded is what would have
 * been recorded at once. Other threads' accesses in between find nothing, and are found instead. The context of a run is
 * known from the access before it, so no stack is walked when it ends.
 *
 * <p>What it misses: runs of threads that are still running when the JVM ends; those whose array is gone by then; and those
 * during which a finalizer ran, because a finalizer comes after accesses without their thread's doing.
 */
final class AutodromeRuns {
    /**
     * How many runs a thread has at most; where a run is follows from its site and context. Two at one place break off each
     * other with every access, so there are many more places than a loop has accesses.
     */
    private static final int MOST = 256;

    /** Not the number of an array. */
    private static final int NONE = -1;

    /** How far apart elements may be. */
    private static final int WIDEST = 1 << 12;

    /** How many finalizers have run. */
    private static volatile int finalizers;

    /** After so many accesses that no other followed, a place rests for so many times as long. */
    private static final int IN_VAIN = 16, REST = 64;

    /** The array of a run, which may die meanwhile: we keep nothing alive. A class of its own, so that reports do not name it. */
    static final class Watched extends WeakReference<Object> {
        Watched(Object array) {
            super(array);
        }
    }

    /**
     * One run. It has the elements from `from` on, up to but without `next`, of the array with a number; the number is NONE if
     * there is none.
     */
    static final class Run {
        Watched array;
        int number = NONE;
        int next;
        int from;
        int step = 1;
        long key;
        boolean isWrite;

        /** Whether it is among those that end when the thread synchronizes, and the one that came before it there. */
        boolean isUnderWay;
        Run older;

        /** How often a run began and had no element. */
        int inVain;

        /** What was recorded last: in which epoch, of which array, from where to where. */
        int epoch;
        int recorded = NONE;
        int first;
        int last;
        int width;
    }

    private AutodromeRuns() {}

    @ForceInline
    private static long key(int site, int context) {
        return (long) context << 32 | site;
    }

    @ForceInline
    private static int place(int site, int context) {
        return (context * 0x9E3779B1 >>> 24) + site & MOST - 1;
    }

    /** Is this the next element of a run? Then it belongs to it. */
    @ForceInline
    static boolean goesOn(Object array, int index, int site, int context) {
        Run[] runs = Thread.currentThread().autodrome$runs;
        if (runs == null) {
            return false;
        }
        Run run = runs[place(site, context)];
        if (run == null || run.next != index || run.key != key(site, context) || run.number != AutodromeNumbers.number(array)) {
            return false;
        }
        run.next = index + run.step;
        return true;
    }

    /** An access was recorded, and may be one before the first of a run, in steps that have to show. */
    static void begin(Thread t, Object array, int index, boolean isWrite, int site, int context) {
        begin(t, array, index, 0, isWrite, site, context);
    }

    private static void begin(
            Thread t, Object array, int index, int known, boolean isWrite, int site, int context) {
        if (AutodromeRecord.RECORDING || t.autodrome$optimistic != null
                || AutodromeWords.known(t, context, site) == 0) {
            return;
        }
        Run run = at(t, place(site, context));
        if (run == null) {
            return;
        }
        int number = AutodromeNumbers.number(array);
        long key = key(site, context);
        if (t.autodrome$running == null) {
            t.autodrome$finalizers = finalizers;
        }
        if (run.number != NONE && run.next != run.from) {
            record(t, run);
            run.inVain = 0;
        } else if (run.number == number && run.key == key) {
            int step = index - (run.from - run.step);
            run.step = step != 0 && step <= WIDEST && step >= -WIDEST ? step : 1;
        }
        if (run.key != key) {
            // What another instruction has recorded says nothing of this one.
            run.recorded = NONE;
            run.step = 1;
            run.inVain = 0;
        }
        if (!AutodromeNumbers.isNumber(number) || run.inVain++ >= IN_VAIN || !hold(run, array)) {
            run.number = NONE;
            run.inVain = run.inVain > IN_VAIN * REST ? 0 : run.inVain;
            return;
        }
        if (known != 0) {
            run.step = known;
        }
        run.number = number;
        run.key = key;
        run.isWrite = isWrite;
        run.next = run.from = index + run.step;
        if (!run.isUnderWay) {
            run.isUnderWay = true;
            run.older = t.autodrome$running;
            t.autodrome$running = run;
        }
    }

    /** The thread's run at a place; null if there is no memory, which the program is to learn of from its own allocations. */
    private static Run at(Thread t, int place) {
        Run[] runs = t.autodrome$runs;
        try {
            if (runs == null) {
                t.autodrome$runs = runs = new Run[MOST];
            }
            if (runs[place] == null) {
                runs[place] = new Run();
            }
        } catch (OutOfMemoryError none) {
            return null;
        }
        return runs[place];
    }

    private static boolean hold(Run run, Object array) {
        if (run.array == null || run.array.get() != array) {
            // The number may have been that of an array that is gone.
            run.recorded = NONE;
            try {
                run.array = new Watched(array);
            } catch (OutOfMemoryError none) {
                return false;
            }
        }
        return true;
    }

    /** The thread will synchronize, or its locks change. */
    @ForceInline
    static void end(Thread t) {
        if (t.autodrome$running != null) {
            endAll(t);
        }
    }

    /** Writes first: reads after them need not be recorded. */
    @DontInline
    private static void endAll(Thread t) {
        Run newest = t.autodrome$running;
        t.autodrome$running = null;
        for (Run run = newest; run != null; run = run.older) {
            run.isUnderWay = false;
        }
        for (int kind = 0; kind < 2; kind++) {
            for (Run run = newest; run != null; run = run.older) {
                if (run.isWrite == (kind == 0) && run.number != NONE) {
                    if (run.next != run.from) {
                        record(t, run);
                        run.inVain = 0;
                    }
                    run.number = NONE;
                    run.recorded = NONE;
                }
            }
        }
    }

    /** What was recorded in the same epoch before need not be recorded again. */
    private static void record(Thread t, Run run) {
        int step = run.step, first = step > 0 ? run.from : run.next - step, width = step > 0 ? step : -step;
        int last = step > 0 ? run.next - step : run.from;
        if (isRecorded(t, run, run.number, first, last, width)) {
            return;
        }
        Object array = run.array.get();
        if (array == null || t.autodrome$finalizers != finalizers) {
            return;
        }
        AutodromeArrays.range(array, first, last + 1, width, run.isWrite, (int) run.key, (int) (run.key >>> 32));
        remember(t, run, run.number, first, last, width);
    }

    private static void remember(Thread t, Run run, int number, int first, int last, int width) {
        run.recorded = number;
        run.epoch = t.autodrome$epoch;
        run.first = first;
        run.last = last;
        run.width = width;
    }

    @ForceInline
    private static boolean isRecorded(Thread t, Run run, int number, int first, int last, int width) {
        return run.recorded == number && run.epoch == t.autodrome$epoch && run.width == width && first >= run.first
                && last <= run.last && (first - run.first) % width == 0;
    }

    /**
     * A loop has ended that accessed elements from one on, up to but without `next`: they go on where a run ended, or are
     * recorded at once.
     */
    static void loop(Thread t, Object array, int from, int next, int step, boolean isWrite, int site, int context) {
        boolean isAlone = AutodromeLocksets.LOCKSETS || t.autodrome$optimistic != null;
        Run run = isAlone ? null : at(t, place(site, context));
        int first = step > 0 ? from : next - step, last = step > 0 ? next - step : from, width = step > 0 ? step : -step;
        if (run == null) {
            AutodromeArrays.range(array, first, last + 1, width, isWrite, site, context);
            return;
        }
        int number = AutodromeNumbers.number(array);
        if (run.key == key(site, context)) {
            if (run.number == number && run.next == from && run.step == step) {
                run.next = next;
                return;
            }
            if (isRecorded(t, run, number, first, last, width) && run.array.get() == array) {
                return;
            }
        }
        AutodromeArrays.range(array, first, last + 1, width, isWrite, site, context);
        begin(t, array, next - step, step, isWrite, site, context);
        if (run.key == key(site, context) && run.number != NONE && run.number == AutodromeNumbers.number(array)) {
            remember(t, run, run.number, first, last, width);
        }
    }

    /** A finalizer will run: it comes after all that others did, and they do not know. */
    static void beforeFinalizer() {
        finalizers++;
    }
}
