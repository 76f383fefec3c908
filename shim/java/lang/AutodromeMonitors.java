package java.lang;

import static java.lang.AutodromeHidden.*;
import static java.lang.AutodromeLayout.*;
import static java.lang.AutodromeLocks.*;
import static java.lang.AutodromeRecord.*;
import static java.lang.AutodromeThread.*;

import jdk.internal.vm.annotation.ForceInline;

/** The hooks of monitors, by `monitorenter` and by synchronized methods, and of what waits at them. */
public final class AutodromeMonitors {
    private AutodromeMonitors() {}

    @ForceInline
    public static void beforeMonitor(int site) {
        if (ON) {
            findRoom();
        }
    }

    public static void enterMonitor(Object o, int site) {
        enterMonitor(o, true, AutodromeHunt.HUNTS, site);
    }

    public static void enterJdkMonitor(Object o, int site) {
        enterMonitor(o, !AutodromeStreams.isStandard(o), false, site);
    }

    private static void enterMonitor(Object o, boolean orders, boolean isHunted, int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            int me = enter(t);
            Object cells = null;
            if (orders && learnsNow(t) && place(t, o) < 0) {
                cells = AutodromeLocksets.takeMonitor(o, site);
            }
            if (isHunted && t.autodrome$quiet == 0 && place(t, o) < 0) {
                AutodromeHunt.took(t, o, site);
            }
            // Of monitors the site says all: where they are taken is woven.
            push(t, o, cells, HELD_MONITOR, site, 0);
            if (records(t) && t.autodrome$quiet == 0) {
                logAcquire(me, o, site);
                AutodromeOpaque.opens(t);
            }
        }
    }

    public static void exitMonitor(Object o, int site) {
        if (ON && o != null) {
            Thread t = Thread.currentThread();
            int me = enter(t), place = place(t, o);
            if (place >= 0) {
                Object cells = remove(t, place);
                if (AutodromeHunt.HUNTS && t.autodrome$quiet == 0) {
                    AutodromeHunt.gave(t, o);
                }
                if (AutodromeControl.CONTROLS && place(t, o) < 0) {
                    AutodromeControl.exitMonitor(t, o);
                }
                if (records(t) && t.autodrome$quiet == 0) {
                    logRelease(me, o, site);
                }
                if (cells != null && t.autodrome$quiet == 0) {
                    AutodromeLocksets.giveMonitor(cells, site);
                }
            }
        }
    }

    /** Whoever takes the monitor next cannot know of this look-up, so nothing is handed on; locksets and recordings have it all. */
    public static void exitReading(Object o, int site) {
        if (RECORDING || AutodromeLocksets.LOCKSETS) {
            exitMonitor(o, site);
        } else if (ON && o != null) {
            Thread t = Thread.currentThread();
            int place = place(t, o);
            if (place >= 0) {
                remove(t, place);
                if (AutodromeHunt.HUNTS) {
                    AutodromeHunt.gave(t, o);
                }
                if (AutodromeControl.CONTROLS && place(t, o) < 0) {
                    AutodromeControl.exitMonitor(t, o);
                }
            }
        }
    }

    public static void enterMethod(Object o, int site) {
        enterMonitor(o, site);
    }

    public static void exitMethod(Object o, int site) {
        exitMonitor(o, site);
    }

    /** The monitor of a loader that is not capable of loading in parallel is taken by the JVM itself. */
    public static void enterLoader(Object o, int site) {
        if (ON && isLocked(o)) {
            enterMonitor(o, site);
        }
    }

    public static void exitLoader(Object o, int site) {
        if (ON && isLocked(o)) {
            exitMonitor(o, site);
        }
    }

    private static boolean isLocked(Object o) {
        return o instanceof ClassLoader && Thread.holdsLock(o);
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
            if (AutodromeHunt.HUNTS && t.autodrome$quiet == 0) {
                AutodromeHunt.beforeWait(t, o);
            }
            t.autodrome$waits = cells;
            AutodromeRuns.end(t);
            tick(t, 0);
        }
    }

    public static void afterWait(Object o, int site) {
        if (ON) {
            enter(Thread.currentThread());
        }
    }

    /**
     * A notification makes no order that the monitor does not make; where monitors make none, it is a message. In a recording it is
     * one too: a predictor exchanges sections of the monitor.
     */
    public static void beforeNotify(Object o, int site) {
        AutodromeLocksets.notifies(o);
        if (RECORDING && o != null) {
            Thread t = Thread.currentThread();
            int me = enter(t);
            if (records(t) && t.autodrome$quiet == 0) {
                logNotify(me, o, site);
            }
        }
    }
}
