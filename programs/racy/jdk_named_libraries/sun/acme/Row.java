package sun.acme;

/** An array without a lock. */
public final class Row {
    private final int[] cells = new int[4];

    public void set(int index, int value) {
        cells[index] = value; // race: writes []
    }

    public int get(int index) {
        return cells[index]; // race: reads []
    }
}
