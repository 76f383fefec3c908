package java.lang;

import static java.lang.AutodromeSites.*;
import static java.lang.AutodromeThread.*;
import static java.lang.AutodromeWords.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The Java side of the agent: the hooks that woven code calls. The agent defines this class when the JVM starts.
 *
 * <p>The fast path compares the epoch in a word with the thread's own: equal means that nothing is new. No method here
 * throws, calls woven code, or uses a JDK class beyond Unsafe and Field. Each hook is there twice: with the
 * calling-context value of its method, and without for methods that have none.
 */
public final class AutodromeShim extends AutodromeJdk {
    private static final Unsafe U = Unsafe.getUnsafe();

    // The JVM runs Java code to find a native method when it is first called, and a hook may be where the stack is full. So
    // each is called once, here: without a thread they do nothing.
    static {
        if (ON) {
            AutodromeThread.link();
            AutodromeWords.link();
            AutodromeSites.link();
            receive(0, null, 0);
            send(0, null, 0, 0);
            sendInitializer(0, 0, 0);
            AutodromePasts.link();
            AutodromeCells.link();
            AutodromeAccesses.link();
            AutodromeClones.link();
            AutodromeCalls.link();
            AutodromeLocks.link();
            AutodromeJdk.link();
            AutodromeNumbers.link();
            AutodromeArrays.link();
            AutodromeRecord.link();
            AutodromeLocksets.link();
        }
    }

    private AutodromeShim() {}

    // A method that hands the thread's past on is told whether the medium path has used the thread's epoch.

    private static native void receive(int me, Object object, int site);

    private static native int send(int me, Object object, int site, int used);

    private static native int sendInitializer(int me, int type, int used);

    // Plain fields. A read in the epoch in which the thread wrote says nothing that the write does not say.

    @ForceInline
    public static void readField(Object o, long reads, long write, int site) {
        if (ON && !isMine(reads) && !isMine(write)) {
            readFieldOfOthers(o, reads, site, context());
        }
    }

    @ForceInline
    public static void readField(Object o, long reads, long write, int site, int context) {
        if (ON && !isMine(reads) && !isMine(write)) {
            readFieldOfOthers(o, reads, site, context);
        }
    }

    /** This one and the next three are for the lockset modes, where the first word tells of both kinds. */
    @ForceInline
    public static void readField(Object o, long first, int site) {
        readField(o, first, site, context());
    }

    @ForceInline
    public static void readField(Object o, long first, int site, int context) {
        if (ON && !isMine(first)) {
            readFieldSlow(o, first, site, context);
        }
    }

    @ForceInline
    public static void readStatic(long first, int site) {
        readStatic(first, site, context());
    }

    @ForceInline
    public static void readStatic(long first, int site, int context) {
        if (ON && !isMine(first)) {
            readStaticSlow(first, site, context);
        }
    }

    @ForceInline
    public static void writeField(Object o, long write, int site) {
        if (ON && !isMine(write)) {
            writeFieldSlow(o, write, site, context());
        }
    }

    @ForceInline
    public static void writeField(Object o, long write, int site, int context) {
        if (ON && !isMine(write)) {
            writeFieldSlow(o, write, site, context);
        }
    }

    @ForceInline
    public static long freshWrite(int site) {
        return ON ? fresh(site, context()) : 0;
    }

    @ForceInline
    public static long freshWrite(int site, int context) {
        return ON ? fresh(site, context) : 0;
    }

    @ForceInline
    public static void readStatic(long reads, long write, int site) {
        if (ON && !isMine(reads) && !isMine(write)) {
            readStaticOfOthers(reads, site, context());
        }
    }

    @ForceInline
    public static void readStatic(long reads, long write, int site, int context) {
        if (ON && !isMine(reads) && !isMine(write)) {
            readStaticOfOthers(reads, site, context);
        }
    }

    @ForceInline
    public static void writeStatic(long write, int site) {
        if (ON && !isMine(write)) {
            writeStaticSlow(write, site, context());
        }
    }

    @ForceInline
    public static void writeStatic(long write, int site, int context) {
        if (ON && !isMine(write)) {
            writeStaticSlow(write, site, context);
        }
    }

    // Fields of which nothing was known when the class was woven.

    @ForceInline
    public static void readLate(Object o, int site) {
        readLate(o, site, context());
    }

    @ForceInline
    public static void readLate(Object o, int site, int context) {
        if (!ON) {
            return;
        }
        long field = field(site);
        if (field > 0) {
            long reads = U.getLong(o, field >>> 32);
            if (!isMine(reads) && (AutodromeLocksets.LOCKSETS || !isMine(U.getLong(o, field & 0xffffffffL)))) {
                readSlow(o, reads, field, site, context);
            }
        } else if (field != UNWATCHED) {
            readLateSlow(o, site, context);
        }
    }

    @DontInline
    private static void readLateSlow(Object o, int site, int context) {
        long field = field(site);
        if (field == UNKNOWN) {
            field = resolve(site, o);
        }
        if (field > 0) {
            readSlow(o, U.getLongVolatile(o, field >>> 32), field, site, context);
        } else {
            acquireSlow(o, site, field);
        }
    }

    @ForceInline
    public static void beforeWriteLate(Object o, int site) {
        long field;
        if (ON && o != null && (field = field(site)) <= UNKNOWN && field != UNWATCHED) {
            beforeWriteLateSlow(o, site);
        }
        if (ON && o != null) {
            AutodromeValues.before(o, site);
        }
    }

    @ForceInline
    public static void beforeWriteLate(Object o, int site, int context) {
        beforeWriteLate(o, site);
    }

    @DontInline
    private static void beforeWriteLateSlow(Object o, int site) {
        long field = field(site);
        if ((field == UNKNOWN ? resolve(site, o) : field) <= VOLATILE) {
            releaseSlow(o, site);
        }
    }

    @ForceInline
    public static void afterWriteLate(Object o, int site) {
        afterWriteLate(o, site, context());
    }

    @ForceInline
    public static void afterWriteLate(Object o, int site, int context) {
        long field;
        if (ON && (field = field(site)) > 0) {
            long write = U.getLong(o, field & 0xffffffffL);
            if (!isMine(write)) {
                writeSlow(o, write, field, site, context);
            }
        }
    }

    @ForceInline
    public static void readLateStatic(int site) {
        readLateStatic(site, context());
    }

    @ForceInline
    public static void readLateStatic(int site, int context) {
        if (!ON) {
            return;
        }
        long field = field(site);
        needsClassOf(site, field);
        Object base;
        if (field > 0 && (base = base(site)) != null) {
            long reads = U.getLong(base, field >>> 32);
            if (!isMine(reads) && (AutodromeLocksets.LOCKSETS || !isMine(U.getLong(base, field & 0xffffffffL)))) {
                readSlow(base, reads, field, site, context);
            }
        } else if (field != UNWATCHED) {
            readLateStaticSlow(site, context);
        }
    }

    @DontInline
    private static void readLateStaticSlow(int site, int context) {
        long field = field(site);
        if (field == UNKNOWN) {
            field = resolve(site, null);
        }
        // Another thread may have found the field since this one looked, so this one still needs its class.
        needsClassOf(site, field);
        if (field > 0) {
            Object base = baseOf(site);
            readSlow(base, U.getLongVolatile(base, field >>> 32), field, site, context);
        } else {
            acquireSlow(null, site, field);
        }
    }

    @ForceInline
    public static void beforeWriteLateStatic(int site) {
        long field;
        if (ON && (field = field(site)) <= UNKNOWN && field != UNWATCHED) {
            beforeWriteLateStaticSlow(site);
        }
        if (ON) {
            AutodromeValues.before(null, site);
        }
    }

    @ForceInline
    public static void beforeWriteLateStatic(int site, int context) {
        beforeWriteLateStatic(site);
    }

    @DontInline
    private static void beforeWriteLateStaticSlow(int site) {
        long field = field(site);
        if ((field == UNKNOWN ? resolve(site, null) : field) <= VOLATILE) {
            releaseSlow(null, site);
        }
    }

    @ForceInline
    public static void afterWriteLateStatic(int site) {
        afterWriteLateStatic(site, context());
    }

    @ForceInline
    public static void afterWriteLateStatic(int site, int context) {
        if (!ON) {
            return;
        }
        long field = field(site);
        needsClassOf(site, field);
        Object base;
        if (field > 0 && (base = base(site)) != null) {
            long write = U.getLong(base, field & 0xffffffffL);
            if (!isMine(write)) {
                writeSlow(base, write, field, site, context);
            }
        } else if (field > 0 || field == UNKNOWN) {
            afterWriteLateStaticSlow(site, context);
        }
    }

    /** Nothing was known before the write if the write itself initialized the class. */
    @DontInline
    private static void afterWriteLateStaticSlow(int site, int context) {
        long field = field(site);
        if (field == UNKNOWN) {
            field = resolve(site, null);
        }
        needsClassOf(site, field);
        if (field > 0) {
            Object base = baseOf(site);
            writeSlow(base, U.getLongVolatile(base, field & 0xffffffffL), field, site, context);
        } else if (field <= VOLATILE) {
            releaseSlow(null, site);
        }
    }

    // Static initializers.

    @ForceInline
    public static void useClass(Object type, int site) {
        if (ON) {
            needs(type, site);
        }
    }

    @ForceInline
    public static void useClass(Object type, int site, int context) {
        useClass(type, site);
    }

    public static void exitInitializer(Object type, int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            AutodromeOptimism.give(t);
            int me = enter(t), number = numberOf(type);
            if (RECORDING) {
                logMessage(me, SEND_INITIALIZER, number, site);
            }
            tick(t, sendInitializer(me, number, t.autodrome$used));
        }
    }

    public static void exitInitializer(Object type, int site, int context) {
        exitInitializer(type, site);
    }

    // Volatile fields: of classes with cells, and, as late ones, of others.

    @ForceInline
    public static void readVolatile(Object cell, int site) {
        AutodromePasts.acquire(cell);
    }

    @ForceInline
    public static void readVolatile(Object cell, int site, int context) {
        AutodromePasts.acquire(cell);
    }

    @ForceInline
    public static void readVolatileStatic(Object cell, int site) {
        AutodromePasts.acquire(cell);
    }

    @ForceInline
    public static void readVolatileStatic(Object cell, int site, int context) {
        AutodromePasts.acquire(cell);
    }

    @ForceInline
    public static void writeVolatile(Object o, int site) {
        if (ON && o != null) {
            int cell = cell(field(site));
            if (cell != 0) {
                AutodromePasts.release(o, cell);
            } else {
                releaseSlow(o, site);
            }
        }
    }

    @ForceInline
    public static void writeVolatile(Object o, int site, int context) {
        writeVolatile(o, site);
    }

    @ForceInline
    public static void writeVolatileStatic(Object held, int site) {
        if (ON) {
            Object base = base(site);
            int cell = cell(field(site));
            if (cell != 0 && base != null) {
                AutodromePasts.release(base, cell);
            } else {
                releaseSlow(null, site);
            }
        }
    }

    @ForceInline
    public static void writeVolatileStatic(Object held, int site, int context) {
        writeVolatileStatic(held, site);
    }

    /** A volatile write at a site of which nothing is known yet, or to a field without a cell. */
    @DontInline
    private static void releaseSlow(Object o, int site) {
        Thread t = Thread.currentThread();
        if (t.autodrome$quiet != 0) {
            return;
        }
        long field = field(site);
        if (field == UNKNOWN) {
            field = resolve(site, o);
        }
        if (cell(field) != 0) {
            AutodromePasts.release(o != null ? o : baseOf(site), cell(field));
        } else if (field == VOLATILE || field == UNKNOWN) {
            AutodromeOptimism.give(t);
            tick(t, send(enter(t), o, site, t.autodrome$used));
        }
    }

    /** A volatile read at a site of which nothing was known when it was woven. */
    @DontInline
    private static void acquireSlow(Object o, int site, long field) {
        Thread t = Thread.currentThread();
        if (t.autodrome$quiet != 0) {
            return;
        }
        if (cell(field) != 0) {
            AutodromePasts.acquire(U.getReferenceAcquire(o != null ? o : baseOf(site), cell(field)), o);
        } else if (field == VOLATILE) {
            receive(learns(t), o, site);
        }
    }

    // Monitors.

    @ForceInline
    public static void beforeMonitor(int site) {
        if (ON) {
            findRoom();
        }
    }

    @ForceInline
    public static void beforeMonitor(int site, int context) {
        beforeMonitor(site);
    }

    public static void enterMonitor(Object o, int site) {
        enterMonitor(o, site, 0);
    }

    public static void enterMonitor(Object o, int site, int context) {
        if (ON) {
            Thread t = Thread.currentThread();
            int me = enter(t);
            Object cells = null;
            if (t.autodrome$quiet == 0 && place(t, o) < 0) {
                cells = AutodromeLocksets.takeMonitor(o, site);
            }
            // Of monitors the site says all: where they are taken is woven.
            push(t, o, cells, MONITOR, site, 0);
            if (records(t) && t.autodrome$quiet == 0) {
                logAcquire(me, o, site);
            }
        }
    }

    public static void exitMonitor(Object o, int site) {
        if (ON && o != null) {
            Thread t = Thread.currentThread();
            int me = enter(t), place = place(t, o);
            if (place >= 0) {
                Object cells = remove(t, place);
                if (records(t) && t.autodrome$quiet == 0) {
                    logRelease(me, o, site);
                }
                if (cells != null && t.autodrome$quiet == 0) {
                    AutodromeLocksets.giveMonitor(cells, site);
                }
            }
        }
    }

    public static void exitMonitor(Object o, int site, int context) {
        exitMonitor(o, site);
    }

    public static void enterMethod(Object o, int site) {
        enterMonitor(o, site);
    }

    public static void enterMethod(Object o, int site, int context) {
        enterMonitor(o, site);
    }

    public static void exitMethod(Object o, int site) {
        exitMonitor(o, site);
    }

    public static void exitMethod(Object o, int site, int context) {
        exitMonitor(o, site);
    }

    /** The epoch becomes 0: whichever hook is next, after an interrupt too, goes through enter() and so wakes up. */
    public static void beforeWait(Object o, int site) {
        if (ON && o != null) {
            Thread t = Thread.currentThread();
            int me = enter(t);
            if (records(t)) {
                logWait(me, o, site);
            }
            Object cells = cells(t, o);
            if (cells != null) {
                AutodromeLocksets.giveMonitor(cells, site);
            }
            t.autodrome$waits = cells;
            AutodromeRuns.end(t);
            tick(t, 0);
        }
    }

    public static void beforeWait(Object o, int site, int context) {
        beforeWait(o, site);
    }

    public static void afterWait(Object o, int site) {
        if (ON) {
            enter(Thread.currentThread());
        }
    }

    public static void afterWait(Object o, int site, int context) {
        afterWait(o, site);
    }

    /** A notification makes no order that the monitor does not make; where monitors make none, it is a message. */
    public static void beforeNotify(Object o, int site) {
        AutodromeLocksets.notifies(o);
    }

    public static void beforeNotify(Object o, int site, int context) {
        beforeNotify(o, site);
    }
}
