package javax.acme;

/** Publishes by a volatile field. */
public final class Slot<T> {
    private volatile T thing;

    public void set(T thing) {
        this.thing = thing;
    }

    public T get() {
        return thing;
    }
}
