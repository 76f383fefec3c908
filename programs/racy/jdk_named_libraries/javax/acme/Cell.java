package javax.acme;

/** What is set is not synchronized with what is got. */
public final class Cell {
    private int value;

    public void set(int value) {
        this.value = value; // race: writes value
    }

    public int get() {
        return value; // race: reads value
    }
}
