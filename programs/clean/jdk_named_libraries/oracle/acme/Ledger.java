package oracle.acme;

/** Calls back inside a synchronized block. */
public final class Ledger {
    private final Object lock = new Object();
    private long entries;

    public void enter(Runnable entry) {
        synchronized (lock) {
            entries++;
            entry.run();
        }
    }

    public long entries() {
        synchronized (lock) {
            return entries;
        }
    }
}
