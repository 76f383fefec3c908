package script;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Whose turn it is. The steps of a program have numbers, and each waits for its own. The order that this makes is real, since
 * no compiler moves anything across opaque accesses today, but none that the memory model knows: opaque and plain modes and
 * park order nothing.
 */
public final class Turn {
    private static final AtomicInteger NOW = new AtomicInteger();
    private static final AtomicInteger SAID = new AtomicInteger();
    private static final AtomicInteger ARRIVED = new AtomicInteger();

    private Turn() {}

    static void restart() {
        SAID.setOpaque(-1);
        ARRIVED.setOpaque(0);
        NOW.setOpaque(0);
    }

    static int now() {
        return NOW.getOpaque();
    }

    /** Returns when it is the step's turn. */
    public static void await(int step) {
        for (int spins = 0; now() != step; spins++) {
            pause(spins);
        }
    }

    /** One of the step's parties is done; the last one gives the turn to the next step. */
    public static void arrive(int step, int parties) {
        check(now() == step);
        int before;
        do {
            before = ARRIVED.getOpaque();
        } while (!ARRIVED.weakCompareAndSetPlain(before, before + 1));
        if (before + 1 == parties) {
            ARRIVED.setOpaque(0);
            NOW.setOpaque(step + 1);
        }
    }

    /** Marks for a thread that waits in a loop that this step is why it was woken. */
    public static void say(int step) {
        SAID.setOpaque(step);
    }

    public static boolean isSaid(int step) {
        return SAID.getOpaque() == step;
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
            throw new AssertionError("not as foreseen in step " + now());
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
