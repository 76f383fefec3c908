package java.lang;

import static java.lang.AutodromeHidden.*;
import static java.lang.AutodromeLayout.*;
import static java.lang.AutodromeRecord.*;
import static java.lang.AutodromeThread.*;

import jdk.internal.vm.annotation.ForceInline;

/** The hooks before calls, around those of Thread's methods, and of the program's that pass messages in the lockset modes. */
public final class AutodromeCalls {
    /** Of an object that passes messages: where its cell is; no field lies there. */
    private static final long CHANNEL_OFFSET = 0;

    private AutodromeCalls() {}

    /** Calls each native method once, as AutodromeStart says. */
    static void link() {
        fork(0, null, 0, 0);
        epochOf(0);
        join(0, 0);
        sendInterrupt(0, 0, 0);
        receiveInterrupt(0, 0);
    }

    /** The thread will be started; `known` is its number if it was to be started before. Its number. */
    private static native int fork(int me, Thread child, int known, int used);

    private static native int epochOf(int thread);

    /**
     * The thread comes after all that an ended one did. False if that has not ended: before a thread starts it is not alive
     * either, and between {@link #beforeStart} and its start it has a number already.
     */
    private static native boolean join(int me, int ended);

    private static native int sendInterrupt(int me, int thread, int used);

    private static native void receiveInterrupt(int me, int thread);

    private static void receiveInterrupt(int me, int thread, int site) {
        receiveInterrupt(me, thread);
        if (records(Thread.currentThread())) {
            logMessage(me, RECEIVE_INTERRUPT, thread, site);
        }
    }

    /** The cell of all static methods that pass messages. */
    private static final Object[] CHANNEL = new Object[1];

    public static void sendMessage(Object o, int site) {
        if (AutodromeLocksets.DETAILED) {
            AutodromeCells.release(o, CHANNEL_OFFSET);
        }
    }

    public static void sendStatic(int site) {
        if (AutodromeLocksets.DETAILED) {
            AutodromePasts.release(CHANNEL, AutodromeCells.offset(0));
        }
    }

    public static void receiveMessage(Object o, int site) {
        if (AutodromeLocksets.DETAILED) {
            AutodromeCells.acquire(o, CHANNEL_OFFSET);
        }
    }

    public static void receiveStatic(int site) {
        if (AutodromeLocksets.DETAILED) {
            AutodromePasts.acquire(CHANNEL[0]);
        }
    }

    public static void beforeStart(Object o, int site) {
        if (ON && o instanceof Thread) {
            Thread t = Thread.currentThread(), child = (Thread) o;
            AutodromeOptimism.give(t);
            int me = enter(t), known = child.autodrome$id;
            if (AutodromeControl.CONTROLS) {
                AutodromeControl.beforeStart(t);
            }
            if (AutodromeLocksets.SHARED_STATICS) {
                AutodromeSimple.startsThread();
            }
            child.autodrome$id = fork(me, child, known, t.autodrome$used);
            if (RECORDING) {
                logFork(me, child, child.autodrome$id, known, site);
            }
            if (known == 0) {
                // It gets an epoch when it takes its first step.
                child.autodrome$clock = clock(child.autodrome$id);
            }
            tick(t, epochOf(me));
        }
    }

    public static void afterJoin(Object o, int site) {
        if (ON && o instanceof Thread) {
            Thread ended = (Thread) o;
            if (ended.autodrome$id != 0 && !ended.isAlive()) {
                Thread t = Thread.currentThread();
                int me = learns(t);
                boolean hasEnded = true;
                if (ended.autodrome$last != null) {
                    AutodromePasts.add(t, me, ended.autodrome$last);
                } else {
                    hasEnded = join(me, ended.autodrome$id);
                }
                if (hasEnded && records(t)) {
                    logJoin(me, ended.autodrome$id, site);
                }
            }
        }
    }

    public static void afterTimedJoin(Object o, boolean ended, int site) {
        if (ended) {
            afterJoin(o, site);
        }
    }

    public static void afterIsAlive(Object o, boolean alive, int site) {
        if (ON && AutodromeControl.CONTROLS && alive) {
            AutodromeControl.look(site);
        }
        if (!alive) {
            afterJoin(o, site);
        }
    }

    public static void beforeInterrupt(Object o, int site) {
        if (ON && o instanceof Thread) {
            Thread t = Thread.currentThread(), other = (Thread) o;
            if (other.autodrome$id != 0) {
                AutodromeOptimism.give(t);
                int me = enter(t);
                if (records(t)) {
                    logMessage(me, SEND_INTERRUPT, other.autodrome$id, site);
                }
                tick(t, sendInterrupt(me, other.autodrome$id, t.autodrome$used));
                if (AutodromeControl.CONTROLS) {
                    AutodromeControl.interrupts(t, other);
                }
            }
        }
    }

    public static void afterIsInterrupted(Object o, boolean interrupted, int site) {
        if (ON && interrupted && o instanceof Thread) {
            Thread other = (Thread) o;
            if (other.autodrome$id != 0) {
                Thread t = Thread.currentThread();
                int me = learns(t);
                receiveInterrupt(me, other.autodrome$id, site);
            }
        }
    }

    public static void afterInterrupted(boolean interrupted, int site) {
        if (interrupted) {
            throwInterrupt(site);
        }
    }

    public static void throwInterrupt(int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            int me = learns(t);
            receiveInterrupt(me, me, site);
        }
    }

    // Calling-context values.

    @ForceInline
    public static int context() {
        return Thread.currentThread().autodrome$context;
    }

    @ForceInline
    public static void beforeCall(int context, int site) {
        Thread.currentThread().autodrome$context = 3 * context + site;
    }
}
