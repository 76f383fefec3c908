package java.lang;

import static java.lang.AutodromeHidden.*;
import static java.lang.AutodromeLayout.*;
import static java.lang.AutodromeThread.*;

import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * The hooks around accesses that are recorded (crates/agent, record). The first takes the stripe of locks that the variable
 * belongs to, the second logs the access and gives the stripe back, so the log has accesses in the order in which they took
 * effect.
 *
 * <p>The instruction between the hooks must not throw, load a class or run the program's code while the stripe is held. So
 * the first hook looks at receiver, index and type itself, does all that may take long before it takes the stripe, and takes
 * none if the instruction will throw. A stripe that is still held when the thread comes to its next access is given back
 * then; should it come to none, others go on without the stripe after a time.
 */
public final class AutodromeRecord {
    private static final Unsafe U = Unsafe.getUnsafe();

    /**
     * Memory that the agent shares: the next number of the sequence of blocks, whether recording has stopped, the first block in
     * which accesses may still be logged, the stripes. A stripe has the latest block in which an access was logged under it, and in
     * its lowest bit whether it is taken.
     */
    private static final long SHARED = shared();

    /** Whether anything is recorded: constant. */
    static final boolean RECORDING = AutodromeEngine.RECORDING;

    private static final long STOPPED = SHARED + RECORD_STOPPED, FLOOR = SHARED + RECORD_FLOOR, STRIPES = SHARED + RECORD_STRIPES;

    /** Variables with numbers that differ in these bits only share a stripe: a thread that accesses neighbours in turn keeps it. */
    private static final int NEIGHBOUR_BITS = 3, NEIGHBOUR_ELEMENT_BITS = 5;

    /** What a thread has read since its last branch. */
    private static final int ANY = 1, REFERENCES = 2;

    /** What is known of a site's field; a recorded one has the offset of its name, or 0 without, and its kind instead. */
    private static final long UNKNOWN = 0, UNRECORDED = -1, ELSEWHERE = -2;
    private static final int KIND_BITS = 2;

    private static final int PAGE_BITS = 12, PAGE = 1 << PAGE_BITS, PAGES = 1 << 14;

    @Stable private static final long[][] NAMES = new long[PAGES][];

    /** By site of a static field: the object that holds the name. */
    @Stable private static final WeakReference<?>[][] BASES = new WeakReference<?>[PAGES][];

    /** How often a thread asks for a stripe before it lets others run, and before it goes on without. */
    private static final int SPINS = 64, PATIENCE = 1 << 20;

    private AutodromeRecord() {}

    /** Calls each native method once, as AutodromeStart says. */
    static void link() {
        if (RECORDING) {
            AutodromeHidden.link();
            find(0, null, null);
            ring(0);
            nameOf(0, null, 0);
            messageOf(0, null);
            numberOf(null);
            pause();
            logAcquire(0, null, 0);
            logRelease(0, null, 0);
            logWait(0, null, 0);
            logNotify(0, null, 0);
            logWake(0);
            logFork(0, null, 0, 0, 0);
            logJoin(0, 0, 0);
            logMessage(0, 0, 0, 0);
            Array.getLength(NAMES);
        }
    }

    private static native long shared();

    /** What a site accesses, by kind; fills in the field of its name if it has one. 0: its class is not ready. */
    private static native int find(int site, Object receiver, Field[] name);

    /** The ring of a thread, with room; 0 once recording has stopped. */
    private static native long ring(int me);

    /** A new name for a site's field of this kind, of this object or static. */
    private static native int nameOf(int site, Object object, int kind);

    /** The name of a volatile field that has no place for one. */
    private static native int messageOf(int site, Object object);

    private static native int numberOf(Object array);

    private static native void pause();

    static native void logAcquire(int me, Object monitor, int site);

    static native void logRelease(int me, Object monitor, int site);

    static native void logWait(int me, Object monitor, int site);

    static native void logNotify(int me, Object monitor, int site);

    /** The thread goes on after a wait, if it was waiting. */
    static native void logWake(int me);

    static native void logFork(int me, Thread child, int number, int known, int site);

    static native void logJoin(int me, int ended, int site);

    static native void logMessage(int me, int what, int number, int site);

    // Before an access.

    @ForceInline
    public static void beginRead(Object o, int site) {
        if (RECORDING && o != null) {
            begin(o, site, STEP_READ);
        }
    }

    @ForceInline
    public static void beginWrite(Object o, int site) {
        if (RECORDING && o != null) {
            begin(o, site, STEP_WRITE);
        }
    }

    @ForceInline
    public static void beginReadStatic(int site) {
        if (RECORDING) {
            beginStatic(site, STEP_READ);
        }
    }

    @ForceInline
    public static void beginWriteStatic(int site) {
        if (RECORDING) {
            beginStatic(site, STEP_WRITE);
        }
    }

    @ForceInline
    public static void beginReadElement(Object array, int index, int site) {
        if (RECORDING && array != null && index >= 0 && index < Array.getLength(array)) {
            beginElement(array, index, STEP_ELEMENT + STEP_READ, site);
        }
    }

    @ForceInline
    public static void beginWriteElement(Object array, int index, int site) {
        if (RECORDING && array != null && index >= 0 && index < Array.getLength(array)) {
            beginElement(array, index, STEP_ELEMENT + STEP_WRITE, site);
        }
    }

    @ForceInline
    public static void beginWriteReference(Object array, int index, Object value, int site) {
        if (RECORDING && array != null && index >= 0 && index < Array.getLength(array)
                && (value == null || array.getClass().getComponentType().isInstance(value))) {
            beginElement(array, index, STEP_ELEMENT + STEP_WRITE, site);
        }
    }

    private static void begin(Object o, int site, int step) {
        long name = name(site);
        if (name == UNRECORDED) {
            return;
        }
        Thread t = Thread.currentThread();
        if (isLeftOut(t)) {
            return;
        }
        AutodromeThread.findRoom();
        if (name == UNKNOWN) {
            name = resolve(site, o);
        }
        if (name <= 0 || !isReady(t)) {
            seeElsewhere(name, site);
            return;
        }
        take(t, o, o, name, site, step);
    }

    private static void beginStatic(int site, int step) {
        long name = name(site);
        Thread t = Thread.currentThread();
        AutodromeThread.findRoom();
        if (name == UNKNOWN) {
            name = resolve(site, null);
        }
        AutodromeSites.needsClassOf(site, name);
        if (name <= 0 || !isReady(t)) {
            seeElsewhere(name, site);
            return;
        }
        Object base = base(site);
        take(t, base != null ? base : baseSlow(site), null, name, site, step);
    }

    /** Others access the field too, and nobody sees that. */
    @ForceInline
    private static void seeElsewhere(long name, int site) {
        if (name == ELSEWHERE) {
            AutodromeOpaque.mark(site);
        }
    }

    @DontInline
    private static Object baseSlow(int site) {
        synchronized (NAMES) {
            return base(site);
        }
    }

    @ForceInline
    private static Object base(int site) {
        WeakReference<?>[] page = BASES[site >>> PAGE_BITS];
        WeakReference<?> base = page == null ? null : page[site & (PAGE - 1)];
        return base == null ? null : base.get();
    }

    @ForceInline
    private static void take(Thread t, Object base, Object object, long name, int site, int step) {
        long offset = name >>> KIND_BITS;
        int id;
        if (offset == 0) {
            id = messageOf(site, object);
        } else if ((id = U.getInt(base, offset)) == 0) {
            id = newName(base, name, object, site);
        }
        if (id != 0) {
            boolean plain = (name & (1 << KIND_BITS) - 1) == RECORDED_PLAIN;
            t.autodrome$operand = id - 1;
            t.autodrome$step = plain ? step : STEP_VOLATILE + step;
            lock(t, id >>> NEIGHBOUR_BITS);
        }
    }

    @DontInline
    private static int newName(Object base, long name, Object object, int site) {
        int id = nameOf(site, object, (int) name & (1 << KIND_BITS) - 1);
        long offset = name >>> KIND_BITS;
        return U.compareAndSetInt(base, offset, 0, id) ? id : U.getIntVolatile(base, offset);
    }

    private static void beginElement(Object array, int index, int step, int site) {
        Thread t = Thread.currentThread();
        if (isLeftOut(t)) {
            return;
        }
        AutodromeThread.findRoom();
        if (!isReady(t)) {
            return;
        }
        int number = AutodromeNumbers.numberInHeader(array);
        if (number == 0 && (number = numberSlow(array)) == 0) {
            AutodromeOpaque.mark(site);
            return;
        }
        U.putLong(t.autodrome$ring + RING_ARRAY, number);
        t.autodrome$operand = number;
        t.autodrome$index = index;
        t.autodrome$step = step;
        lock(t, number * 31 + (index >>> NEIGHBOUR_ELEMENT_BITS));
    }

    @DontInline
    private static int numberSlow(Object array) {
        int number = numberOf(array);
        AutodromeNumbers.mark(array, number);
        return number;
    }

    /** What the JDK does for its own sake, or for hidden methods, is not recorded. */
    @ForceInline
    private static boolean isLeftOut(Thread t) {
        return t.autodrome$quiet != 0 || isHidden(t);
    }

    /** Whether the thread can log: it has a ring with room, and nothing is left over. */
    @ForceInline
    private static boolean isReady(Thread t) {
        if (U.getLong(STOPPED) != 0 || isLeftOut(t)) {
            return false;
        }
        if (t.autodrome$stripe != 0) {
            giveUp(t);
        }
        int me = enter(t);
        long ring = t.autodrome$ring;
        return ring != 0 && U.getLong(ring) < U.getLong(ring + RING_LIMIT) || makeRoom(t, me);
    }

    /** The writer's end of the ring is asked for seldom: the processors would pass it to and fro. */
    @DontInline
    private static boolean makeRoom(Thread t, int me) {
        long ring = t.autodrome$ring;
        if (ring == 0 || !findRoom(ring)) {
            t.autodrome$ring = ring = ring(me);
        }
        return ring != 0;
    }

    private static boolean findRoom(long ring) {
        long limit = U.getLongAcquire(null, ring + RING_HEAD) + RING_CAPACITY - RING_ROOM + 1;
        U.putLong(ring + RING_LIMIT, limit);
        return U.getLong(ring) < limit;
    }

    /**
     * Takes a stripe. Nothing in here, once it is taken, calls anything that needs much stack. That the access has begun is told
     * before, and the stripe is a fence: the writer (Ring::close) sees it, or the thread sees what the writer has closed.
     */
    @ForceInline
    private static void lock(Thread t, int hash) {
        long stripe = STRIPES + ((long) (hash * 0x9E3779B1 >>> 32 - STRIPE_INDEX_BITS) << STRIPE_BITS), ring = t.autodrome$ring;
        U.putLongRelease(null, ring + RING_ACTIVE, U.getLong(ring + RING_ACTIVE) + 1);
        if (!tryLock(stripe)) {
            lockSlow(ring, stripe);
        }
        t.autodrome$stripe = stripe;
    }

    @ForceInline
    private static boolean tryLock(long stripe) {
        long last = U.getLong(stripe);
        return (last & 1) == 0 && U.compareAndSetLong(null, stripe, last, last | 1);
    }

    @DontInline
    private static void lockSlow(long ring, long stripe) {
        for (int spins = 0; !tryLock(stripe); spins++) {
            if (spins == PATIENCE) {
                // What is logged meanwhile under the stripe is not known: the access gets a block of its own.
                U.putLong(ring + RING_BLOCK, 0);
                return;
            }
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                pause();
            }
        }
    }

    /** Gives the stripe back after an access in a block. */
    @ForceInline
    private static void giveBack(Thread t, long ring, long block) {
        long stripe = t.autodrome$stripe;
        t.autodrome$stripe = 0;
        U.putLongRelease(null, stripe, block << 1);
        U.putLongRelease(null, ring + RING_ACTIVE, U.getLong(ring + RING_ACTIVE) + 1);
    }

    /** An access was not logged. Others may have gone on without the stripe: no block so far is later than all of theirs. */
    @DontInline
    private static void giveUp(Thread t) {
        giveBack(t, t.autodrome$ring, U.getLongVolatile(null, SHARED));
    }

    /** A block for what is logged next: later than all that anybody has now. */
    @ForceInline
    private static long newBlock(long ring) {
        long block = U.getAndAddLong(null, SHARED, 1);
        U.putLong(ring + RING_BLOCK, block);
        return block;
    }

    // After an access.

    @ForceInline
    public static void accessed(int value, int site) {
        if (RECORDING) {
            end(value, STEP_HAS_VALUE, site);
        }
    }

    @ForceInline
    public static void accessed(long value, int site) {
        if (RECORDING) {
            end(value, STEP_HAS_VALUE, site);
        }
    }

    @ForceInline
    public static void accessed(float value, int site) {
        if (RECORDING) {
            end(Float.floatToRawIntBits(value), STEP_HAS_VALUE, site);
        }
    }

    @ForceInline
    public static void accessed(double value, int site) {
        if (RECORDING) {
            end(Double.doubleToRawLongBits(value), STEP_HAS_VALUE, site);
        }
    }

    @ForceInline
    public static void accessed(Object value, int site) {
        if (RECORDING && Thread.currentThread().autodrome$stripe != 0) {
            long identity = value == null ? 0 : identityOf(value);
            end(identity, identity < 0 ? 0 : STEP_HAS_VALUE | STEP_IS_REFERENCE, site);
        }
    }

    private static void end(long value, int has, int site) {
        Thread t = Thread.currentThread();
        if (t.autodrome$stripe == 0) {
            return;
        }
        int step = t.autodrome$step;
        // What the thread hands on next says more than what it handed on before.
        t.autodrome$used = 1;
        if ((step & 1) == STEP_READ) {
            t.autodrome$dependent |= (has & STEP_IS_REFERENCE) != 0 ? ANY | REFERENCES : ANY;
        }
        long ring = t.autodrome$ring, block = U.getLong(ring + RING_BLOCK);
        // The thread's block serves unless others come in between: under the stripe, by a number that was another array's, because
        // the writer has no more of it, or because the access is synchronization.
        if (step >= STEP_VOLATILE || block < U.getLong(t.autodrome$stripe) >>> 1 || block < U.getLongAcquire(null, FLOOR)
                || block <= U.getLongAcquire(null, ring + RING_CLOSED)) {
            block = newBlock(ring);
        }
        put(t, ring, block, step | has, site, t.autodrome$operand, value, t.autodrome$index);
        giveBack(t, ring, block);
    }

    /** Logs an event; there must be room. */
    @ForceInline
    private static void put(Thread t, long ring, long block, int step, int site, int operand, long value, int index) {
        long tail = U.getLong(ring), at = ring + RING_SLOTS + ((tail & RING_CAPACITY - 1) << SLOT_BITS);
        U.putLong(at, block << 8 | step);
        U.putLong(at + 8, (long) site << 32 | operand & 0xffffffffL);
        U.putLong(at + 16, value);
        U.putLong(at + 24, (long) (t.autodrome$id - 1) << 32 | index);
        U.putLongRelease(null, ring, tail + 1);
    }

    // Ranges of arrays, after they were accessed: who does so without order may find other values there by then.

    static void readRange(Object array, int from, int to, int site) {
        for (int i = from; RECORDING && i < to; i++) {
            logElement(array, i, STEP_ELEMENT + STEP_READ, site);
        }
        // Where the values go is not followed.
        if (AutodromeEngine.BRANCHES) {
            branch(site);
        }
    }

    static void writeRange(Object array, int from, int to, int site) {
        for (int i = from; RECORDING && i < to; i++) {
            logElement(array, i, STEP_ELEMENT + STEP_WRITE, site);
        }
    }

    private static void logElement(Object array, int index, int step, int site) {
        beginElement(array, index, step, site);
        if (array instanceof Object[]) {
            accessed(((Object[]) array)[index], site);
        } else if (array instanceof byte[]) {
            accessed(((byte[]) array)[index], site);
        } else if (array instanceof int[]) {
            accessed(((int[]) array)[index], site);
        } else if (array instanceof char[]) {
            accessed(((char[]) array)[index], site);
        } else if (array instanceof long[]) {
            accessed(((long[]) array)[index], site);
        } else if (array instanceof double[]) {
            accessed(((double[]) array)[index], site);
        } else if (array instanceof float[]) {
            accessed(((float[]) array)[index], site);
        } else if (array instanceof short[]) {
            accessed(((short[]) array)[index], site);
        } else if (array instanceof boolean[]) {
            accessed(((boolean[]) array)[index] ? 1 : 0, site);
        }
    }

    // What the thread's path depends on.

    @ForceInline
    public static void branch(int site) {
        if (RECORDING && Thread.currentThread().autodrome$dependent != 0) {
            logBranch(site);
        }
    }

    @ForceInline
    public static void dereference(int site) {
        if (RECORDING && (Thread.currentThread().autodrome$dependent & REFERENCES) != 0) {
            logBranch(site);
        }
    }

    @DontInline
    private static void logBranch(int site) {
        Thread t = Thread.currentThread();
        AutodromeThread.findRoom();
        if (isReady(t)) {
            long ring = t.autodrome$ring;
            put(t, ring, newBlock(ring), STEP_BRANCH, site, 0, 0, 0);
            t.autodrome$dependent = 0;
        }
    }

    // Sites.

    @ForceInline
    private static long name(int site) {
        long[] page = NAMES[site >>> PAGE_BITS];
        return page == null ? UNKNOWN : page[site & (PAGE - 1)];
    }

    /** Finds out what a site accesses. */
    @DontInline
    private static long resolve(int site, Object receiver) {
        Field[] field = new Field[1];
        int kind = find(site, receiver, field);
        long name;
        if (kind == RECORDED_NOT_READY) {
            return UNKNOWN;
        } else if (kind == RECORDED_NOT) {
            name = UNRECORDED;
        } else if (kind == RECORDED_ELSEWHERE || kind == RECORDED_PLAIN && field[0] == null) {
            name = ELSEWHERE;
        } else if (field[0] == null) {
            name = kind;
        } else {
            name = (receiver == null ? U.staticFieldOffset(field[0]) : U.objectFieldOffset(field[0])) << KIND_BITS | kind;
        }
        synchronized (NAMES) {
            int page = site >>> PAGE_BITS, place = site & (PAGE - 1);
            if (NAMES[page] == null) {
                BASES[page] = new WeakReference<?>[PAGE];
                NAMES[page] = new long[PAGE];
            }
            if (receiver == null && field[0] != null) {
                BASES[page][place] = new WeakReference<>(U.staticFieldBase(field[0]));
            }
            NAMES[page][place] = name;
        }
        return name;
    }
}
