import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;

/** Inner arrays that reference objects refer to as well: they are named by the field that holds them all. */
public class Main {
    static class Grid {
        final double[][] cells = new double[2][4];
    }

    static class Named extends WeakReference<double[]> {
        Named(double[] array) {
            super(array);
        }
    }

    static final Grid GRID = new Grid();
    static final Object[] BEFORE = {new Named(GRID.cells[0]), new SoftReference<>(GRID.cells[1])};
    static Grid grid = GRID;
    static final Named AFTER = new Named(GRID.cells[1]);
    static final WeakReference<double[]> LAST = new WeakReference<>(GRID.cells[0]);

    static void write() {
        grid.cells[1][1] = 1; // race: writes []
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(Main::write);
        Thread two = new Thread(Main::write);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(grid.cells[1][1]);
    }
}
