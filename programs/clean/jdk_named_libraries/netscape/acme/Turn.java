package netscape.acme;

/** The class is the lock. */
public final class Turn {
    private static int last;

    private Turn() {}

    public static synchronized void take(int turn) {
        last = turn;
    }

    public static synchronized int last() {
        return last;
    }
}
