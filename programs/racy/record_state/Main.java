/** A record's component holds an object that changes, and the record class has a static field. */
public class Main {
    static class Cell {
        int value;
    }

    record Pair(String name, Cell cell) {
        static int made;

        Pair {
            made++; // race: reads writes made
        }

        void set(int value) {
            cell.value = value; // race: writes value
        }
    }

    static void use(Cell cell) {
        new Pair("pair", cell).set(3);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Cell cell = new Cell();
        Thread one = new Thread(() -> use(cell));
        Thread two = new Thread(() -> use(cell));
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
