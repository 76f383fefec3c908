package oracle.acme;

/** Only one of the two methods takes the lock. */
public final class Half {
    private long total;

    public synchronized void add(long amount) {
        total += amount; // race: reads writes total
    }

    public long total() {
        return total; // race: reads total
    }
}
