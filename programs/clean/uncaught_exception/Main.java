/** Threads die of exceptions, with and without a handler; joining them orders all the same. */
public class Main {
    private static int value;
    private static String seen = "";

    static void die() {
        value++;
        throw new IllegalStateException("on purpose");
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(Main::die);
        one.setUncaughtExceptionHandler((thread, thrown) -> seen += thrown.getMessage());
        one.start();
        one.join();
        Thread two = new Thread(Main::die);
        two.start();
        two.join();
        System.out.println(value + seen);
        throw new IllegalArgumentException("on purpose");
    }
}
