package java.lang;

import static java.lang.AutodromeThread.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * The fences that the program calls. A release fence publishes all that its thread did, by whatever the thread writes
 * later; an acquire fence takes over what was published by whatever its thread read before.
 *
 * <p>Opaque accesses, and plain ones through VarHandles and Unsafe, carry it: a write adds the clock snapshot of the thread's last
 * release fence to the location's cell, and a read keeps what the cell holds until the next acquire fence.
 *
 * <p>Plain instructions carry nothing, so a fence stands for them. A fence in a method that accesses its receiver's fields and
 * nothing else (crates/weave, fences.rs) is for that object: a release goes to a cell of the object, and an acquire takes all
 * of the object's cells. Any other fence may be for any location; two cells stand for those. All fences release to the first,
 * and so do ordered writes of plain fields; unbound fences acquire it. Unbound fences release to the second; all fences
 * acquire it, and so do ordered reads of plain fields.
 *
 * <p>An edge is missed if both fences are for objects, for two different ones, and a plain access of a third orders them; and if
 * an element of an array is accessed plainly by one thread, beside a fence, and in an ordered mode by the other.
 */
public final class AutodromeFences {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Where an object has its cell; no field lies there. */
    static final long OBJECT_OFFSET = 4;

    private static final Object[] CELLS = new Object[2];

    private static final long OF_ALL = AutodromeCells.offset(0), OF_UNBOUND = AutodromeCells.offset(1);

    /** Has the program released by a fence? */
    private static volatile boolean released;

    /**
     * Has the program acquired by a fence? Before, reads without order keep nothing, and before an unbound one nothing is
     * released to the first cell: that would cost programs without fences. So the first fence takes over all that any thread
     * did, and hands it to all later ones. Recordings do not have that.
     */
    private static volatile boolean acquired = AutodromeRecord.RECORDING, unbound = AutodromeRecord.RECORDING;

    /** What follows from the first fences, even before they are over. */
    private static volatile boolean keeping = AutodromeRecord.RECORDING, releasing = AutodromeRecord.RECORDING;

    private AutodromeFences() {}

    private static void acquire(Object o) {
        Thread t = Thread.currentThread();
        if (t.autodrome$quiet != 0 || AutodromeLocksets.SIMPLE) {
            return;
        }
        if (!acquired || o == null && !unbound) {
            begin(t, o == null);
        }
        if (t.autodrome$unfenced != null) {
            AutodromePasts.acquire(t.autodrome$unfenced);
            t.autodrome$unfenced = null;
        }
        if (o != null) {
            AutodromeCells.acquireAll(o);
        }
        AutodromePasts.acquire(U.getReferenceAcquire(CELLS, o != null ? OF_UNBOUND : OF_ALL));
    }

    /** The program's first acquire fence, or its first unbound one. */
    @DontInline
    private static void begin(Thread t, boolean isUnbound) {
        synchronized (CELLS) {
            if (acquired && (unbound || !isUnbound)) {
                return;
            }
            // First what threads do from here on is kept; then what they have done is handed on.
            keeping = true;
            releasing |= isUnbound;
            AutodromeJdk.learnAll(learns(t));
            AutodromePasts.release(CELLS, OF_ALL);
            AutodromePasts.release(CELLS, OF_UNBOUND);
            acquired = true;
            unbound |= isUnbound;
        }
    }

    /** Are reads without order kept for a fence? */
    static boolean isKeeping() {
        return keeping;
    }

    private static void release(Object o) {
        released = true;
        if (o != null) {
            AutodromeCells.release(o, OBJECT_OFFSET);
        } else {
            AutodromePasts.release(CELLS, OF_UNBOUND);
        }
        releaseToAll();
        Thread t = Thread.currentThread();
        // What the thread just released.
        t.autodrome$fence = t.autodrome$past;
    }

    /** The thread releases by a fence, or writes a plain field in an ordered mode. */
    static void releaseToAll() {
        if (releasing) {
            AutodromePasts.release(CELLS, OF_ALL);
        }
    }

    /** The thread has read a plain field of the object in an ordered mode. */
    static void acquireFenced(Object o) {
        if (released) {
            AutodromePasts.acquire(AutodromeCells.get(o, OBJECT_OFFSET), o);
            AutodromePasts.acquire(U.getReferenceAcquire(CELLS, OF_UNBOUND));
        }
    }

    public static void acquireFence(Object o, int site) {
        if (ON) {
            acquire(o);
        }
    }

    public static void releaseFence(Object o, int site) {
        if (ON) {
            release(o);
        }
    }

    public static void fullFence(Object o, int site) {
        if (ON) {
            acquire(o);
            release(o);
        }
    }
}
