/** A static field of another class. */
public class Main {
    static final class Statistics {
        static double sum;
    }

    static void add() {
        Statistics.sum = Statistics.sum + 0.5; // race: reads writes sum
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(Main::add);
        Thread two = new Thread(Main::add);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("added");
    }
}
