package java.lang;

import static java.lang.AutodromeThread.*;

import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/** The hooks that only classes of the JDK have: quiet methods, elements that synchronize, what the collector orders. */
class AutodromeJdk extends AutodromeLocks {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** The cell between what comes before a reachability fence and references that are enqueued. */
    private static final Object[] COLLECTOR = new Object[1];

    /** Where the number of collections is (crates/runtime, collections.rs). */
    private static final long COLLECTIONS = collections();

    /** Calls each native method once, as AutodromeShim says. */
    static void link() {
        end(0);
        learnAll(0);
        beforeCollection(0);
    }

    private static native void end(int thread);

    /** The thread learns of all that any thread has done. */
    private static native void learnAll(int me);

    private static native long collections();

    /** All that was done before the last collection, as a past. */
    private static native int[] beforeCollection(int me);

    @ForceInline
    public static void enterQuiet(int site) {
        Thread.currentThread().autodrome$quiet++;
    }

    @ForceInline
    public static void exitQuiet(int site) {
        Thread t = Thread.currentThread();
        // Hooks may have been switched on in between.
        if (t.autodrome$quiet > 0) {
            t.autodrome$quiet--;
        }
    }

    /** A read of a volatile field, where it matters through which object a thread learns something. */
    @ForceInline
    public static void readVolatileOf(Object o, Object cell, int site) {
        AutodromePasts.acquire(cell, o);
    }

    @ForceInline
    public static void readSyncElement(Object[] array, int index, int site) {
        AutodromeCells.acquire(array, AutodromeCells.offset(index));
    }

    /** Before the write, which may yet throw. */
    @ForceInline
    public static void writeSyncElement(Object[] array, int index, int site) {
        if (array != null && index >= 0 && index < array.length) {
            AutodromeCells.release(array, AutodromeCells.offset(index));
        }
    }

    /** The thread has run all of the program's code that it will; of a virtual one its carrier tells. */
    public static void endThread(Object o, int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            if (o == t) {
                AutodromeOptimism.give(t);
            } else if (o instanceof Thread && ((Thread) o).autodrome$id != 0) {
                end(((Thread) o).autodrome$id);
            }
        }
    }

    public static void afterGetState(Object o, Object state, int site) {
        AutodromeCalls.afterJoin(o, site);
    }

    public static void beforeReachabilityFence(Object o, int site) {
        if (ON) {
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
     * misses one is to be told. So are the keys of thread locals, which the JDK looks at for itself alone.
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
