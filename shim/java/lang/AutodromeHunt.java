package java.lang;

import static java.lang.AutodromeLocks.*;
import static java.lang.AutodromeThread.*;

/**
 * Hunting: what the gate must know of threads and locks, and the points where a thread may be held back. It waits in native code
 * then, and holds nothing of ours.
 */
public final class AutodromeHunt {
    /** Whether there is a plan to carry out: constant, so that the compiler removes what asks for it if not. */
    static final boolean HUNTS = AutodromeEngine.HUNTS;

    /** How a lock is requested, as the agent knows it. */
    private static final int WAITS = 0, TRIES = 1, MONITOR = 2;

    private AutodromeHunt() {}

    /** Calls each native method once, as AutodromeStart says. */
    static void link() {
        begin(0, null);
        request(0, null, 0, 0, 0);
        acquired(0, null, 0);
        released(0, null);
        waits(0, null);
        access(0, null, 0, 0);
    }

    /** The thread has done its first step, or goes on after a wait. */
    private static native void begin(int me, Thread thread);

    private static native void request(int me, Object lock, int how, int site, int context);

    private static native void acquired(int me, Object lock, int site);

    private static native void released(int me, Object lock);

    private static native void waits(int me, Object monitor);

    private static native void access(int me, Object object, int index, int site);

    /** Called by the first hook of a thread, and by its first one after a wait. */
    static void begins(Thread t) {
        begin(t.autodrome$id, t);
    }

    public static void requestMonitor(Object o, int site, int context) {
        if (ON && AutodromeControl.CONTROLS) {
            AutodromeControl.enterMonitor(o, site);
        }
        if (ON && HUNTS && o != null) {
            request(o, MONITOR, site, context);
        }
    }

    public static void requestLock(Object o, int site) {
        if (ON && HUNTS && o != null) {
            request(o, WAITS, site, Thread.currentThread().autodrome$context);
        }
    }

    public static void tryLock(Object o, int site) {
        if (ON && HUNTS && o != null) {
            request(o, TRIES, site, Thread.currentThread().autodrome$context);
        }
    }

    private static void request(Object o, int how, int site, int context) {
        Thread t = Thread.currentThread();
        if (t.autodrome$quiet == 0 && place(t, o) < 0) {
            request(enter(t), o, how, site, context);
        }
    }

    /** The thread took a lock that it did not hold. */
    static void took(Thread t, Object lock, int site) {
        acquired(enter(t), lock, site);
    }

    /** The thread gave a lock back, or is about to, once; it may hold it still. */
    static void gave(Thread t, Object lock) {
        if (place(t, lock) < 0) {
            released(enter(t), lock);
        }
    }

    /** The thread will wait and gives the monitor back meanwhile. */
    static void beforeWait(Thread t, Object monitor) {
        waits(enter(t), monitor);
    }

    public static void beforeAccess(Object o, int site) {
        beforeElement(o, -1, site);
    }

    public static void beforeElement(Object o, int index, int site) {
        if (ON && AutodromeControl.CONTROLS) {
            AutodromeControl.access(o, index, site);
        }
        if (ON && HUNTS) {
            Thread t = Thread.currentThread();
            if (t.autodrome$quiet == 0) {
                access(enter(t), o, index, site);
            }
        }
    }
}
