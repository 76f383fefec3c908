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

    /** The sites of call sites that are known to be linked. It grows by copies: a mark that a copy loses is set again. */
    private static volatile byte[] linkedSites = new byte[1 << 10];

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
            release(type);
            if (t.autodrome$bootstrapped) {
                t.autodrome$bootstrapped = false;
                acquireNext(t, type);
            }
            t.autodrome$quiet = quiet;
        }
    }

    /** The thread adds its past to the cell of a class. */
    static void release(Object type) {
        AutodromePasts.release(type, LINKED, null);
    }

    /** The thread acquires what the cell of a class holds. */
    static void acquire(Object type) {
        AutodromePasts.acquire(U.getReferenceAcquire(type, LINKED));
    }

    /** Whichever hook of the thread is next acquires what is released for a class until then. */
    private static void acquireNext(Thread t, Object type) {
        t.autodrome$links = type;
        AutodromeRuns.end(t);
        tick(t, 0);
    }

    /** The next hook after {@link #acquireNext}. */
    static void linked(Thread t) {
        Object type = t.autodrome$links;
        t.autodrome$links = null;
        int quiet = t.autodrome$quiet;
        t.autodrome$quiet = 0;
        acquire(type);
        t.autodrome$quiet = quiet;
    }

    /**
     * A call site will be used. Until a call by it has returned, another thread may link it between this hook and the call,
     * so that the call acquires nothing here and still uses what the other one made.
     */
    @ForceInline
    public static void useCallSite(Object type, int site) {
        if (ON) {
            boolean isLinked = isLinked(linkedSites, site);
            AutodromePasts.acquire(U.getReferenceAcquire(type, LINKED));
            if (!isLinked) {
                acquireNext(Thread.currentThread(), type);
            }
        }
    }

    @ForceInline
    public static void usedCallSite(int site) {
        if (ON && !isLinked(linkedSites, site)) {
            markLinked(site);
        }
    }

    /** What was released by whoever linked the site is visible if this is true. */
    @ForceInline
    private static boolean isLinked(byte[] sites, int site) {
        boolean isLinked = site < sites.length && sites[site] != 0;
        U.loadFence();
        return isLinked;
    }

    private static synchronized void markLinked(int site) {
        if (site >= linkedSites.length) {
            byte[] grown = new byte[Math.max(2 * linkedSites.length, site + 1)];
            System.arraycopy(linkedSites, 0, grown, 0, linkedSites.length);
            linkedSites = grown;
        }
        U.storeFence();
        linkedSites[site] = 1;
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
