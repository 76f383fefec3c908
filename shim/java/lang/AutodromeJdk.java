package java.lang;

import static java.lang.AutodromeThread.*;

import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/** The hooks of what the JVM orders without Java code: the end of threads, and the collector. */
public final class AutodromeJdk {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** The cell between what comes before a reachability fence and references that are enqueued. */
    private static final Object[] COLLECTOR = new Object[1];

    /** Where the number of collections is (crates/runtime, collections.rs). */
    private static final long COLLECTIONS = collections();

    private static final long CROWD = crowd();

    private AutodromeJdk() {}

    /** Calls each native method once, as AutodromeStart says. */
    static void link() {
        end(0);
        suspend(0);
        learnAll(0);
        beforeCollection(0);
    }

    /** The thread takes no further step. All that it did and learned, as a past; null if there is no memory for it. */
    private static native int[] end(int thread);

    /** The thread takes no step until it is resumed: another may have its slot. */
    private static native void suspend(int thread);

    /**
     * Where it is said whether threads are so many that those which are suspended give their slots back (crates/runtime,
     * threads.rs).
     */
    private static native long crowd();

    /** The thread learns of all that any thread has done. */
    static native void learnAll(int me);

    private static native long collections();

    /** All that was done before the last collection, as a past. */
    private static native int[] beforeCollection(int me);

    /** The thread has run all of the program's code that it will; of a virtual one its carrier says so. */
    public static void endThread(Object o, int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            if (o == t) {
                AutodromeOptimism.give(t);
                forget(t);
            } else if (o instanceof Thread && ((Thread) o).autodrome$id != 0) {
                Thread ended = (Thread) o;
                AutodromePasts.beforeEnd(ended);
                // Afterwards its clock may be anywhere.
                ended.autodrome$clock = 0;
                int[] past = end(ended.autodrome$id);
                ended.autodrome$last = past;
                AutodromePasts.handOn(t, past);
                tick(ended, 0);
                forget(ended);
                t.autodrome$medium += ended.autodrome$medium;
            }
        }
    }

    /**
     * A virtual thread has left its carrier. If threads are many it keeps neither a slot nor what it can find out again: its epoch
     * becomes 0, so whichever hook is next goes through enter(). No hook is on its stack but one that waits for a monitor of
     * the shim's own, and those make no use of the clock afterwards.
     *
     * <p>Accesses that the detector does not know yet need its slot, and recordings know a thread's pasts by its own moments.
     */
    public static void suspendThread(Object o, int site) {
        if (ON && !AutodromeRecord.RECORDING && U.getInt(CROWD) != 0 && o instanceof Thread) {
            Thread t = (Thread) o;
            if (t.autodrome$id != 0 && t.autodrome$running == null && t.autodrome$optimistic == null
                    && t.autodrome$converting == null) {
                tick(t, 0);
                t.autodrome$past = null;
                suspend(t.autodrome$id);
                forget(t);
            }
        }
    }

    /** Gives up all that the thread would find out again. */
    private static void forget(Thread t) {
        t.autodrome$contexts = null;
        t.autodrome$shared = null;
        t.autodrome$initialized = null;
        t.autodrome$sets = null;
        t.autodrome$accessed = null;
        t.autodrome$callers = null;
        t.autodrome$tokens = null;
        t.autodrome$locksets = null;
        if (t.autodrome$running == null) {
            t.autodrome$runs = null;
        }
        if (t.autodrome$depth == 0) {
            t.autodrome$held = null;
            t.autodrome$taken = null;
        }
    }

    public static void afterEnd(int site) {
        Thread.currentThread().autodrome$ending = null;
    }

    public static void afterGetState(Object o, Object state, int site) {
        AutodromeCalls.afterJoin(o, site);
    }

    /** The JDK puts one behind every access of a buffer, mostly for a session that is not there. */
    public static void beforeReachabilityFence(Object o, int site) {
        if (ON && o != null) {
            AutodromePasts.release(COLLECTOR, AutodromeCells.offset(0));
        }
    }

    public static void afterEnqueue(Object o, int site) {
        if (ON) {
            AutodromePasts.acquire(COLLECTOR[0]);
        }
    }

    @ForceInline
    public static void afterGet(Object o, Object referent, int site) {
        if (referent == null) {
            afterCleared(o);
        }
    }

    @ForceInline
    public static void afterRefersTo(Object o, Object asked, boolean does, int site) {
        if (does && asked == null) {
            afterCleared(o);
        }
    }

    public static void afterPoll(Object queue, Object o, int site) {
        if (o != null) {
            afterCleared(o);
        }
    }

    /**
     * The thread has seen that a reference was cleared: by the collector, as far as is known, and what was done with the object
     * came before. The program may have cleared it itself; then the thread learns of more than it should, which hides a race
     * at most.
     *
     * <p>Phantom references are left out: there the platform says what orders, a reachabilityFence, and a Cleaner's action that
     * misses one is to be reported. So are the keys of thread locals, which the JDK looks at for itself alone.
     */
    @DontInline
    private static void afterCleared(Object o) {
        Thread t = Thread.currentThread();
        // A thread that has learned of the last collection, or a program without any, goes no further.
        if (ON && t.autodrome$collections != U.getInt(COLLECTIONS) && t.autodrome$quiet == 0
                && (o instanceof WeakReference || o instanceof SoftReference)
                && !(o instanceof ThreadLocal.ThreadLocalMap.Entry)) {
            int me = enter(t);
            // First the number: what is learned is at least of that collection.
            int number = U.getInt(COLLECTIONS);
            U.loadFence();
            AutodromePasts.acquire(beforeCollection(me));
            t.autodrome$collections = number;
        }
    }

    /**
     * The end of an object's constructor comes before its finalizer (JLS 17.4.5), and the collector has seen that no thread
     * uses it any more. Which threads did is not known: so all that was done comes before.
     */
    public static void beforeFinalizer(Object o, int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            int me = learns(t);
            AutodromeRuns.beforeFinalizer();
            learnAll(me);
        }
    }
}
