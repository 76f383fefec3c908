package java.lang;

import static java.lang.AutodromeLocks.*;
import static java.lang.AutodromeThread.*;

import java.time.Duration;
import jdk.internal.misc.Unsafe;

/**
 * A controlled run: one thread runs at a time, and the agent decides at each point which one. Threads wait in native code and
 * hold nothing of ours then.
 *
 * <p>{@code autodrome$granted} is how many points a thread may pass without asking, {@code autodrome$left} how many of them are
 * left, {@code autodrome$at} where the program stands.
 */
public final class AutodromeControl {
    /** Whether the run is controlled: constant, so that the compiler removes what asks for it if not. */
    static final boolean CONTROLS = AutodromeEngine.CONTROLS;

    /** What native methods give, beside how many points may be passed: the thread is not controlled. */
    private static final int FREE = Integer.MIN_VALUE;

    /** Kinds of points, as the agent knows them. */
    private static final int CALL = 0, LOOK = 1, YIELD = 2, SPIN = 3, TELL = 4;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private AutodromeControl() {}

    /** Calls each native method once, as AutodromeStart says. */
    static void link() {
        begins(0, null);
        access(0, 0, null, 0, 0);
        point(0, 0, 0, 0);
        request(0, 0, null, false, 0);
        exit(0, 0, null);
        await(0, 0, null, 0, false, 0);
        notifies(0, 0, null, false);
        park(0, 0, 0, false, 0);
        unpark(0, 0, 0);
        sleep(0, 0, 0, false, 0);
        join(0, 0, 0, false, false, 0);
        interrupts(0, 0, 0);
        time(0, 0);
        release(null);
        retake(null);
        millis();
    }

    /** The thread has done its first step, or goes on after a wait. */
    private static native void begins(int me, Thread thread);

    // Each gives how many points the thread may pass from there on, or the complement of that if it was interrupted, or FREE.

    private static native int access(int me, int passed, Object object, int index, int site);

    private static native int point(int me, int passed, int kind, int site);

    private static native int request(int me, int passed, Object monitor, boolean isQuiet, int site);

    private static native int exit(int me, int passed, Object monitor);

    private static native int await(int me, int passed, Object monitor, long nanos, boolean isInterrupted, int site);

    private static native int notifies(int me, int passed, Object monitor, boolean isAll);

    private static native int park(int me, int passed, long nanos, boolean isInterrupted, int site);

    private static native int unpark(int me, int passed, int thread);

    private static native int sleep(int me, int passed, long nanos, boolean isInterrupted, int site);

    private static native int join(int me, int passed, int thread, boolean isTimed, boolean isInterrupted, int site);

    private static native int interrupts(int me, int passed, int thread);

    /** Gives a monitor back once, says whether it did, and takes it again. */
    private static native boolean release(Object monitor);

    private static native void retake(Object monitor);

    /** Nanoseconds since the run began, or less than 0 if the thread is not controlled. */
    private static native long time(int me, int passed);

    /** What the virtual clock began with, in milliseconds. */
    private static native long millis();

    private static final long BEGAN = CONTROLS ? millis() : 0;

    /** How many points the thread has passed without asking; it says so only once. */
    private static int passed(Thread t) {
        int passed = t.autodrome$granted - t.autodrome$left;
        t.autodrome$granted = t.autodrome$left;
        return passed;
    }

    /** Takes in what a native method gave; says whether the thread was interrupted. */
    private static boolean settle(Thread t, int gave) {
        boolean isInterrupted = gave < 0 && gave != FREE;
        int left = gave == FREE ? Integer.MAX_VALUE : isInterrupted ? ~gave : gave;
        t.autodrome$left = left;
        t.autodrome$granted = left;
        return isInterrupted;
    }

    /** Called by the first hook of a thread, and by its first one after a wait. */
    static void begins(Thread t) {
        begins(t.autodrome$id, t);
    }

    /** The thread will start another one, and asks at its next point. */
    static void beforeStart(Thread t) {
        settle(t, point(t.autodrome$id, passed(t), TELL, 0));
        if (t.autodrome$left != Integer.MAX_VALUE) {
            t.autodrome$left = 0;
            t.autodrome$granted = 0;
        }
    }

    /** May there be points? Others wait for the class that a static initializer makes ready, and the model knows nothing of it. */
    private static boolean isOpen(Thread t) {
        return t.autodrome$quiet == 0 && t.autodrome$initializing == 0;
    }

    public static void beginInitializer(int site) {
        if (ON && CONTROLS) {
            Thread.currentThread().autodrome$initializing++;
        }
    }

    public static void endInitializer(int site) {
        if (ON && CONTROLS) {
            Thread.currentThread().autodrome$initializing--;
        }
    }

    /** A field of this object or an element will be accessed. */
    static void access(Object o, int index, int site) {
        Thread t = Thread.currentThread();
        // What is no point must not be counted either.
        if (!isOpen(t)) {
            return;
        }
        int left = t.autodrome$left - 1;
        if (left >= 0) {
            t.autodrome$left = left;
        } else {
            settle(t, access(enter(t), passed(t), o, index, site));
        }
    }

    /** A call will be made of an object that threads share. */
    public static void sharedCall(int site) {
        if (ON && CONTROLS) {
            Thread t = Thread.currentThread();
            t.autodrome$at = site;
            if (!isOpen(t)) {
                return;
            }
            int left = t.autodrome$left - 1;
            if (left >= 0) {
                t.autodrome$left = left;
            } else {
                settle(t, point(enter(t), passed(t), CALL, site));
            }
        }
    }

    /** A call will be made that is one of the methods below. */
    public static void controlledCall(int site) {
        if (ON && CONTROLS) {
            Thread.currentThread().autodrome$at = site;
        }
    }

    /** The thread has seen that another one is alive. */
    static void look(int site) {
        Thread t = Thread.currentThread();
        if (isOpen(t)) {
            settle(t, point(enter(t), passed(t), LOOK, site));
        }
    }

    /** The thread will take a monitor. */
    static void enterMonitor(Object o, int site) {
        Thread t = Thread.currentThread();
        if (o != null && t.autodrome$quiet == 0 && place(t, o) < 0) {
            settle(t, request(enter(t), passed(t), o, !isOpen(t), site));
        }
    }

    /** The thread will give a monitor back, and does not hold it any more then. */
    static void exitMonitor(Thread t, Object o) {
        settle(t, exit(t.autodrome$id, passed(t), o));
    }

    /** The thread will wait for the end of another one, which is over then. */
    public static void beforeJoin(Object o, int site) {
        join(o, false, site);
    }

    public static void beforeTimedJoin(Object o, int site) {
        join(o, true, site);
    }

    private static void join(Object o, boolean isTimed, int site) {
        if (ON && CONTROLS && o instanceof Thread) {
            Thread t = Thread.currentThread();
            int thread = ((Thread) o).autodrome$id;
            if (thread != 0) {
                settle(t, join(enter(t), passed(t), thread, isTimed, t.isInterrupted(), site));
            }
        }
    }

    /** The thread will interrupt another one. */
    static void interrupts(Thread t, Thread other) {
        settle(t, interrupts(t.autodrome$id, passed(t), other.autodrome$id));
    }

    // What is called in place of methods of the JDK.

    public static void await(Object o) throws InterruptedException {
        if (!awaits(o, 0)) {
            o.wait();
        }
    }

    public static void await(Object o, long millis) throws InterruptedException {
        if (millis < 0 || !awaits(o, nanos(millis, 0))) {
            o.wait(millis);
        }
    }

    public static void await(Object o, long millis, int nanos) throws InterruptedException {
        if (millis < 0 || nanos < 0 || nanos >= NANOS_PER_MILLI || !awaits(o, nanos(millis, nanos))) {
            o.wait(millis, nanos);
        }
    }

    /** Was the wait the run's own? */
    private static boolean awaits(Object o, long nanos) throws InterruptedException {
        Thread t = Thread.currentThread();
        if (!ON || !CONTROLS || o == null || t.autodrome$id == 0 || !Thread.holdsLock(o)) {
            return false;
        }
        int me = t.autodrome$id, gave = point(me, passed(t), TELL, 0);
        settle(t, gave);
        if (gave == FREE) {
            return false;
        }
        int depth = 0;
        while (Thread.holdsLock(o) && release(o)) {
            depth++;
        }
        gave = await(me, passed(t), o, nanos, t.isInterrupted(), t.autodrome$at);
        for (; depth > 0; depth--) {
            retake(o);
        }
        return ended(t, gave);
    }

    public static void notifies(Object o) {
        notifies(o, false);
        o.notify();
    }

    public static void notifiesAll(Object o) {
        notifies(o, true);
        o.notifyAll();
    }

    private static void notifies(Object o, boolean isAll) {
        if (ON && CONTROLS && o != null) {
            Thread t = Thread.currentThread();
            if (Thread.holdsLock(o)) {
                settle(t, notifies(t.autodrome$id, passed(t), o, isAll));
            }
        }
    }

    /** The run's own wait is over, or was none. */
    private static boolean ended(Thread t, int gave) throws InterruptedException {
        if (settle(t, gave)) {
            Thread.interrupted();
            throw new InterruptedException();
        }
        return gave != FREE;
    }

    public static void sleep(long millis) throws InterruptedException {
        if (millis < 0 || !sleeps(nanos(millis, 0))) {
            Thread.sleep(millis);
        }
    }

    public static void sleep(long millis, int nanos) throws InterruptedException {
        if (millis < 0 || nanos < 0 || nanos >= NANOS_PER_MILLI || !sleeps(nanos(millis, nanos))) {
            Thread.sleep(millis, nanos);
        }
    }

    public static void sleep(Duration duration) throws InterruptedException {
        // A sleep that is too long for a long is one that nobody waits for.
        if (duration == null || duration.isNegative() || !sleeps(nanos(duration.getSeconds() * 1000, duration.getNano()))) {
            Thread.sleep(duration);
        }
    }

    private static boolean sleeps(long nanos) throws InterruptedException {
        Thread t = Thread.currentThread();
        if (!ON || !CONTROLS || t.autodrome$id == 0) {
            return false;
        }
        return ended(t, sleep(t.autodrome$id, passed(t), nanos, t.isInterrupted(), t.autodrome$at));
    }

    private static long nanos(long millis, int nanos) {
        return millis > Long.MAX_VALUE / NANOS_PER_MILLI / 2 ? Long.MAX_VALUE / 2 : millis * NANOS_PER_MILLI + nanos;
    }

    public static void yields() {
        if (!points(YIELD)) {
            Thread.yield();
        }
    }

    public static void spins() {
        if (!points(SPIN)) {
            Thread.onSpinWait();
        }
    }

    private static boolean points(int kind) {
        Thread t = Thread.currentThread();
        if (!ON || !CONTROLS || t.autodrome$id == 0 || !isOpen(t)) {
            return false;
        }
        int gave = point(t.autodrome$id, passed(t), kind, t.autodrome$at);
        settle(t, gave);
        return gave != FREE;
    }

    public static long nanoTime() {
        long time = time();
        return time < 0 ? System.nanoTime() : BEGAN * NANOS_PER_MILLI + time;
    }

    public static long currentTimeMillis() {
        long time = time();
        return time < 0 ? System.currentTimeMillis() : BEGAN + time / NANOS_PER_MILLI;
    }

    private static long time() {
        Thread t = Thread.currentThread();
        return ON && CONTROLS && t.autodrome$id != 0 ? time(t.autodrome$id, passed(t)) : -1;
    }

    public static void park(Unsafe unsafe, boolean isAbsolute, long time) {
        Thread t = Thread.currentThread();
        if (ON && CONTROLS && t.autodrome$id != 0 && time >= 0) {
            // A deadline is of the clock that the program reads.
            long left = isAbsolute ? Math.max(1, time - currentTimeMillis()) : time;
            long nanos = isAbsolute ? nanos(left, 0) : left;
            int gave = park(t.autodrome$id, passed(t), nanos, t.isInterrupted(), t.autodrome$at);
            settle(t, gave);
            if (gave != FREE) {
                return;
            }
        }
        unsafe.park(isAbsolute, time);
    }

    public static void unpark(Unsafe unsafe, Object thread) {
        Thread t = Thread.currentThread();
        if (ON && CONTROLS && thread instanceof Thread && ((Thread) thread).autodrome$id != 0) {
            settle(t, unpark(t.autodrome$id, passed(t), ((Thread) thread).autodrome$id));
        }
        unsafe.unpark(thread);
    }
}
