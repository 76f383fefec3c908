/** The reference is volatile, what it refers to is not. */
public class Main {
    static class Cell {
        long value;
    }

    private static volatile Cell cell = new Cell();

    static void write() {
        cell.value = 7; // race: writes value
    }

    static long read() {
        return cell.value; // race: reads value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(Main::write);
        Thread two = new Thread(Main::read);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
