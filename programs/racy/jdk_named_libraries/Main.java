import com.sun.acme.Tally;
import javax.acme.Cell;
import oracle.acme.Half;
import sun.acme.Row;

/** Libraries on the class path in packages that are named like the JDK's race like any other class. */
public class Main {
    static void give(Tally tally, Cell cell, Half half, Row row) {
        tally.add();
        cell.set(7);
        half.add(7);
        row.set(1, 7);
    }

    static void take(Tally tally, Cell cell, Half half, Row row) {
        long seen = half.total();
        seen += cell.get();
        seen += row.get(1);
        tally.add();
        if (seen > 21) {
            throw new AssertionError();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Tally tally = new Tally();
        Cell cell = new Cell();
        Half half = new Half();
        Row row = new Row();
        Thread giver = new Thread(() -> give(tally, cell, half, row));
        Thread taker = new Thread(() -> take(tally, cell, half, row));
        giver.start();
        taker.start();
        giver.join();
        taker.join();
        System.out.println("taken");
    }
}
