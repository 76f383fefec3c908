package java.lang;

import static java.lang.AutodromeThread.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Freeze words of objects with final fields (JLS 17.5.1): the epoch of the thread where the constructor ended (upper half,
 * as in a word of a write), and a key that stands for where that was (lower half).
 *
 * <p>The agent knows the stack of each key: it is asked once for each key, so that a freeze is a look at one table and a
 * store. By chance two places may have the same key, once in billions of pairs; then one has the other's stack.
 */
public final class AutodromeFreezes {
    /** Keys whose stacks the agent knows. All threads share it without order: what is missing is asked for again. */
    private static final int[] KNOWN = new int[1 << 14];

    /** A key is in any of so many places side by side. */
    private static final int LINE = 4;

    private AutodromeFreezes() {}

    static void link() {
        register(0, 0);
    }

    /** The agent takes the stack of the current thread as that of the key. */
    private static native void register(int me, int key);

    /** The freeze word of an object whose constructor ends now; 0 if the thread is not watched. */
    @ForceInline
    public static long freeze(int site, int context) {
        if (!ON) {
            return 0;
        }
        Thread t = Thread.currentThread();
        // Never 0, which stands for no key.
        int epoch = t.autodrome$epoch, key = site * 0x9E3779B1 + context | 1;
        if (epoch == 0 || KNOWN[place(key)] != key) {
            return freezeSlow(t, key);
        }
        t.autodrome$used = 1;
        return (long) ~epoch << 32 | key & 0xffffffffL;
    }

    @ForceInline
    private static int place(int key) {
        return key * 0x85EBCA6B >>> 18;
    }

    @DontInline
    private static long freezeSlow(Thread t, int key) {
        int me = enter(t), epoch = t.autodrome$epoch;
        if (epoch == 0) {
            return 0;
        }
        if (!isKnown(key)) {
            register(me, key);
            keep(key);
        }
        t.autodrome$used = 1;
        return (long) ~epoch << 32 | key & 0xffffffffL;
    }

    private static boolean isKnown(int key) {
        int at = place(key);
        for (int i = 1; i < LINE; i++) {
            if (KNOWN[at ^ i] == key) {
                return true;
            }
        }
        return false;
    }

    /** Keeps a key where there is room; if there is none, it takes the place of another. */
    private static void keep(int key) {
        int at = place(key);
        for (int i = 0; i < LINE; i++) {
            if (KNOWN[at ^ i] == 0) {
                KNOWN[at ^ i] = key;
                return;
            }
        }
        KNOWN[at] = key;
    }
}
