package java.lang;

import static java.lang.AutodromeThread.*;

/**
 * What must have happened before woven code runs. The agent initializes this class when the JVM starts, and then all that have
 * hooks.
 *
 * <p>No hook throws, calls woven code, or uses a JDK class beyond Unsafe and Field.
 */
final class AutodromeStart {
    static {
        if (ON) {
            link();
        }
    }

    private AutodromeStart() {}

    /**
     * Calls each native method once: without a thread they do nothing. The JVM runs Java code to find a native method when it is
     * first called, and a hook may be where the stack is full.
     */
    private static void link() {
        AutodromeThread.link();
        AutodromeWords.link();
        AutodromeFreezes.link();
        AutodromeSites.link();
        AutodromeVolatiles.link();
        AutodromeInitializers.link();
        AutodromePasts.link();
        AutodromeCells.link();
        AutodromeAccesses.link();
        AutodromeClones.link();
        AutodromeCalls.link();
        AutodromeLocks.link();
        AutodromeJdk.link();
        AutodromeIo.link();
        AutodromeNumbers.link();
        AutodromeArrays.link();
        AutodromeRecord.link();
        AutodromeOpaque.link();
        AutodromeLocksets.link();
        AutodromeHunt.link();
        AutodromeControl.link();
        AutodromeSample.link();
        AutodromeConcolic.link();
    }
}
