/** A thread dies of an exception after its access, and main dies of another. */
public class Main {
    private static int value;

    static void die() {
        value = 1; // race: writes value
        throw new IllegalStateException("on purpose");
    }

    static void write() {
        value = 2; // race: writes value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(Main::die);
        one.start();
        write();
        one.join();
        System.out.println(value > 0);
        throw new IllegalArgumentException("on purpose");
    }
}
