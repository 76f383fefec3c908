package java.lang;

import static java.lang.AutodromeNumbers.*;
import static java.lang.AutodromeThread.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What loops accessed, told where they end (crates/weave, loops.rs).
 *
 * <p>A thread remembers which elements its loops have told of in its epoch: to tell of them again changes nothing.
 */
final class AutodromeLoops {
    /** How many loops a thread remembers; and how many numbers for each. */
    private static final int MOST = 64, ENTRY = 5;

    /** Where these numbers stand: site and context, epoch and number of the array, its stamp, first and last index, step. */
    private static final int KEY = 0, WHEN = 1, STAMP = 2, ENDS = 3, WIDTH = 4;

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

    /** A loop that began in this epoch has accessed elements. */
    static void end(Object array, int from, int next, int step, int epoch, boolean isWrite, int site, int context) {
        Thread t = Thread.currentThread();
        if (!ON || from == next || t.autodrome$epoch != epoch) {
            return;
        }
        int first = step > 0 ? from : next - step, last = step > 0 ? next - step : from, width = step > 0 ? step : -step;
        long[] told = t.autodrome$loops;
        int at = ((site ^ context * 5) & MOST - 1) * ENTRY, number = number(array);
        if (told != null && isTold(told, at, key(site, context), epoch, number, first, last, width)) {
            return;
        }
        AutodromeArrays.range(array, first, last + 1, width, isWrite, site, context);
        if (t.autodrome$optimistic == null) {
            keep(t, told, at, key(site, context), number(array), first, last, width);
        }
    }

    @ForceInline
    private static long key(int site, int context) {
        return (long) context << 32 | site;
    }

    private static boolean isTold(
            long[] told, int at, long key, int epoch, int number, int first, int last, int width) {
        long ends = told[at + ENDS];
        return told[at + KEY] == key && told[at + WHEN] == ((long) epoch << 32 | number) && told[at + WIDTH] == width
                && first >= (int) (ends >>> 32) && last <= (int) ends && (first - (int) (ends >>> 32)) % width == 0
                && told[at + STAMP] == AutodromeArrays.stamp(number);
    }

    private static void keep(
            Thread t, long[] told, int at, long key, int number, int first, int last, int width) {
        if (!isNumber(number)) {
            return;
        }
        if (told == null) {
            try {
                told = new long[MOST * ENTRY];
            } catch (OutOfMemoryError none) {
                // The program is to learn of that from its own allocations.
                return;
            }
            t.autodrome$loops = told;
        }
        told[at + KEY] = key;
        told[at + WHEN] = (long) t.autodrome$epoch << 32 | number;
        told[at + STAMP] = AutodromeArrays.stamp(number);
        told[at + ENDS] = (long) first << 32 | last;
        told[at + WIDTH] = width;
    }
}
