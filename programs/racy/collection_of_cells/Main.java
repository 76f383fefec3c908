import java.util.ArrayList;
import java.util.List;

/** The accesses are in a callback that the JDK's code calls: its frames are on the stack too. */
public class Main {
    static class Cell {
        int value;

        void bump() {
            value++; // race: reads writes value
        }
    }

    static void all(List<Cell> cells) {
        cells.forEach(Cell::bump);
    }

    public static void main(String[] arguments) throws InterruptedException {
        List<Cell> cells = new ArrayList<>(List.of(new Cell(), new Cell()));
        Thread one = new Thread(() -> all(cells));
        Thread two = new Thread(() -> all(cells));
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
