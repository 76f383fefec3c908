package script;

import java.util.concurrent.locks.LockSupport;

/**
 * Whose turn it is. The steps of a program have numbers, and each waits for its own. This package is not watched, so the
 * order that it makes is real, but none that the detector sees: volatile fields and monitors count only where they are
 * woven, and all that it calls in the JDK is park, which orders nothing.
 */
public final class Turn {
    private static volatile int now;
    private static volatile int said;
    private static int arrived;

    private Turn() {}

    static void restart() {
        said = -1;
        arrived = 0;
        now = 0;
    }

    static int now() {
        return now;
    }

    /** Returns when it is the step's turn. */
    public static void await(int step) {
        for (int spins = 0; now != step; spins++) {
            pause(spins);
        }
    }

    /** One of the step's parties is done; the last one gives the turn to the next step. */
    public static synchronized void arrive(int step, int parties) {
        check(now == step);
        if (++arrived == parties) {
            arrived = 0;
            now = step + 1;
        }
    }

    /** Tells a thread that waits in a loop that this step is why it was woken. */
    public static void say(int step) {
        said = step;
    }

    public static boolean isSaid(int step) {
        return said == step;
    }

    /** Lets a thread get to where it blocks, so that the slow paths are taken; nothing depends on it. */
    public static void settle(Thread thread) {
        for (int spins = 0; spins < 130; spins++) {
            Thread.State state = thread.getState();
            if (state != Thread.State.RUNNABLE) {
                return;
            }
            pause(spins);
        }
    }

    /** What the script foresaw did not come true: the test is wrong, or the JVM is. */
    public static void check(boolean foreseen) {
        if (!foreseen) {
            throw new AssertionError("not as foreseen in step " + now);
        }
    }

    static void pause(int spins) {
        if (spins < 100) {
            Thread.onSpinWait();
        } else if (spins < 110) {
            Thread.yield();
        } else {
            // Not a sleep or a wait, which would take an interrupt that is meant for the program.
            LockSupport.parkNanos(20_000);
        }
    }
}
