package java.lang;

/** What the shim needs to see of Thread when it is compiled; the agent adds the fields to the real class. */
public class Thread {
    int autodrome$id;
    int autodrome$epoch;
    int autodrome$context;
    int autodrome$locks;
    int autodrome$used;
    int[] autodrome$contexts;
    long[] autodrome$shared;
    long[] autodrome$initialized;
    long autodrome$medium;
    int[] autodrome$past;
    int[] autodrome$sent;
    long autodrome$clock;
    Object autodrome$waits;
    int autodrome$quiet;
    Object[] autodrome$optimistic;
    Object[] autodrome$converting;
    Object[] autodrome$held;
    int[] autodrome$taken;
    int autodrome$depth;
    int[] autodrome$sets;
    long autodrome$ring;
    long autodrome$stripe;
    int autodrome$step;
    int autodrome$operand;
    int autodrome$index;
    Object[] autodrome$accessed;
    long[] autodrome$callers;
    int autodrome$token;
    int autodrome$lockset;
    int[] autodrome$tokens;
    int[] autodrome$locksets;
    AutodromeRuns.Run[] autodrome$runs;
    AutodromeRuns.Run autodrome$running;
    long[] autodrome$ordered;
    int autodrome$finalizers;
    int autodrome$dependent;
    int autodrome$hidden;
    Object[] autodrome$arguments;
    int autodrome$argumentCount;
    int[] autodrome$received;
    int autodrome$valued;
    long autodrome$value;
    Object autodrome$reference;
    int autodrome$collections;

    public static native Thread currentThread();

    public static native void onSpinWait();

    public final native boolean isAlive();
}
