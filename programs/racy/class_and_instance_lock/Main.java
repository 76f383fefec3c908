/** One method locks the class, the other the object. */
public class Main {
    private static int total;

    static synchronized void add() {
        total++; // race: reads writes total
    }

    synchronized int get() {
        return total; // race: reads total
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread one = new Thread(Main::add);
        Thread two = new Thread(main::get);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
