package java.lang;

import static java.lang.AutodromeLayout.*;
import static java.lang.AutodromeThread.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The hooks before calls that may run code whose data is not recorded. The sections of locks in which the thread is are opaque
 * from then on: the recording keeps their order (docs/adr/0070-opaque-sections.md).
 *
 * <p>A thread outside of sections, or whose sections are all opaque already, is done at once.
 */
public final class AutodromeOpaque {
    private AutodromeOpaque() {}

    /** Calls each native method once, as AutodromeStart says. */
    static void link() {
        if (AutodromeRecord.RECORDING) {
            levelOf(null);
            logOpaque(0, 0);
        }
    }

    /** What of a class is recorded: one of the constants COVERED_. */
    private static native int levelOf(Class<?> type);

    /** The sections in which the thread is are opaque. */
    private static native void logOpaque(int me, int site);

    /** Is there an open section that is not opaque, or are there values that nobody follows into the code that is called? */
    @ForceInline
    private static boolean matters() {
        if (!AutodromeRecord.RECORDING) {
            return false;
        }
        Thread t = Thread.currentThread();
        return t.autodrome$clear != 0 || AutodromeEngine.BRANCHES && t.autodrome$dependent != 0;
    }

    /** The thread is in a new section. */
    @ForceInline
    static void opens(Thread t) {
        t.autodrome$clear = 1;
    }

    /** The receiver's class decides, with all that it extends and implements. */
    @ForceInline
    public static void callObject(Object o, int site) {
        if (matters() && o != null) {
            require(o.getClass(), COVERED_WHOLE, site);
        }
    }

    /** The same, if a class of the program declares the method: what it extends does not matter. */
    @ForceInline
    public static void callOwn(Object o, int site) {
        if (matters() && o != null) {
            require(o.getClass(), COVERED_ITSELF, site);
        }
    }

    @ForceInline
    public static void callClass(Object type, int site) {
        if (matters()) {
            require((Class<?>) type, COVERED_WHOLE, site);
        }
    }

    @ForceInline
    public static void callConstructor(Object type, int site) {
        if (matters()) {
            require((Class<?>) type, COVERED_ITSELF, site);
        }
    }

    /** What is printed on the standard streams nobody reads. */
    @ForceInline
    public static void callStream(Object o, int site) {
        if (matters() && o != null
                && !AutodromeStreams.isStandard(o)) {
            mark(site);
        }
    }

    @ForceInline
    public static void callUnrecorded(int site) {
        if (matters()) {
            mark(site);
        }
    }

    /** What a lambda runs is a method that is woven; what it inherits is its interface's. */
    @ForceInline
    public static void makeLambda(Object lambda, Object type, int site) {
        if (AutodromeRecord.RECORDING && lambda.getClass().autodrome$covered == 0) {
            lambda.getClass().autodrome$covered = levelOf((Class<?>) type);
        }
    }

    @ForceInline
    private static void require(Class<?> type, int least, int site) {
        int covered = type.autodrome$covered;
        if (covered == 0) {
            type.autodrome$covered = covered = levelOf(type);
        }
        if (covered < least) {
            mark(site);
        }
    }

    /** What the thread does next, and what it has read so far, is not followed: its sections are opaque, and it branches. */
    @DontInline
    static void mark(int site) {
        if (AutodromeEngine.BRANCHES) {
            AutodromeRecord.branch(site);
        }
        Thread t = Thread.currentThread();
        if (t.autodrome$clear != 0 && t.autodrome$quiet == 0 && AutodromeHidden.records(t)) {
            t.autodrome$clear = 0;
            logOpaque(enter(t), site);
        }
    }
}
