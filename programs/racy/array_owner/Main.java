/** Arrays in fields: of an object, of its superclass, and inside an array of arrays. */
public class Main {
    static class Base {
        final byte[] flags = new byte[4];
    }

    static class Table extends Base {
        final int[] cells = new int[4];
        final long[][] rows = new long[2][4];

        void write() {
            cells[1] = 1; // race: writes []
            flags[1] = 1; // race: writes []
            rows[1][1] = 1; // race: writes []
        }
    }

    static Table table;

    public static void main(String[] arguments) throws InterruptedException {
        table = new Table();
        Thread one = new Thread(() -> table.write());
        Thread two = new Thread(() -> table.write());
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(table.cells[1]);
    }
}
