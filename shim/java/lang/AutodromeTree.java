package java.lang;

import jdk.internal.vm.annotation.DontInline;

/**
 * TREE in front of FastTrack (crates/runtime, spans.rs). It is asked about accesses that neither the test for the thread's
 * own epoch nor the one for order decides: another thread has come to the variable in between.
 */
final class AutodromeTree {
    /** Constant, so that the compiler removes the question. */
    static final boolean FILTERS = AutodromeEngine.FILTERS;

    private AutodromeTree() {}

    /** Calls each native method once, see AutodromeStart. */
    static void link() {
        judge(0, 0, 0, 0, false, 0);
    }

    /** Would the detector learn nothing from the access to this place in the object with that number and stamp? */
    private static native boolean judge(int me, int number, int stamp, int place, boolean isWrite, int site);

    /** May the access be dropped? Whoever asks and hears no must let it be decided. */
    @DontInline
    static boolean drops(int me, Object base, long offsets, boolean isWrite, int site) {
        int number = AutodromeNumbers.number(base);
        if (!AutodromeNumbers.isNumber(number) && (number = AutodromeNumbers.register(base)) == 0) {
            return false;
        }
        int stamp = (int) (AutodromeArrays.stamp(number) >>> 40);
        boolean isRedundant = judge(me, number, stamp, (int) offsets, isWrite, site);
        // Until here the number must not become another object's.
        AutodromeThread.keepAlive(base);
        return isRedundant;
    }
}
