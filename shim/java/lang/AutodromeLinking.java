package java.lang;

import static java.lang.AutodromeThread.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/** The hooks of call sites and dynamic constants that a bootstrap method links. A class has one cell for all of them. */
public final class AutodromeLinking {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final long LINKED = U.objectFieldOffset(Class.class, "autodrome$linked");

    /** How many bits of the stack of quiet methods one that is heard takes: seven of these may nest. */
    private static final int HEARD_BITS = 8, HEARD = (1 << HEARD_BITS) - 1;

    private AutodromeLinking() {}

    /**
     * The thread links quietly, but what it has done up to here comes before every use of the result.
     *
     * <p>Another thread may link the same instruction, and the JVM take the other's result; which one it takes is decided after
     * this hook. So if a bootstrap method of the program ran, the epoch becomes 0: whichever hook is next goes
     * through enter(), and acquires there what others released before the JVM took a result.
     */
    public static void afterLink(Object type, int site) {
        if (ON && type instanceof Class) {
            Thread t = Thread.currentThread();
            int quiet = t.autodrome$quiet;
            t.autodrome$quiet = 0;
            AutodromePasts.release(type, LINKED, null);
            if (t.autodrome$bootstrapped) {
                t.autodrome$bootstrapped = false;
                t.autodrome$links = type;
                AutodromeRuns.end(t);
                tick(t, 0);
            }
            t.autodrome$quiet = quiet;
        }
    }

    /** The thread goes on after linking. */
    static void linked(Thread t) {
        Object type = t.autodrome$links;
        t.autodrome$links = null;
        int quiet = t.autodrome$quiet;
        t.autodrome$quiet = 0;
        AutodromePasts.acquire(U.getReferenceAcquire(type, LINKED));
        t.autodrome$quiet = quiet;
    }

    @ForceInline
    public static void useLinked(Object type, int site) {
        if (ON) {
            AutodromePasts.acquire(U.getReferenceAcquire(type, LINKED));
        }
    }

    public static void enterBootstrap(int site) {
        Thread t = Thread.currentThread();
        t.autodrome$heard = t.autodrome$heard << HEARD_BITS | t.autodrome$quiet & HEARD;
        t.autodrome$quiet = 0;
    }

    public static void exitBootstrap(int site) {
        Thread t = Thread.currentThread();
        t.autodrome$quiet = (int) t.autodrome$heard & HEARD;
        t.autodrome$heard >>>= HEARD_BITS;
        // What it has linked itself is behind it.
        t.autodrome$bootstrapped = true;
    }

    public static void beforeSetTarget(Object callSite, int site) {
        if (ON) {
            AutodromeCells.release(callSite, 0);
        }
    }

    public static void afterGetTarget(Object callSite, int site) {
        if (ON) {
            AutodromeCells.acquire(callSite, 0);
        }
    }
}
