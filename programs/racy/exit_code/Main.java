/** System.exit while a thread runs: the races so far are reported, and the program's code is kept. */
public class Main {
    private static int value;
    private static volatile boolean written;

    static void work() {
        value = 1; // race: writes value
        written = true;
        for (;;) {
            Thread.onSpinWait();
        }
    }

    static void write() {
        value = 2; // race: writes value
    }

    public static void main(String[] arguments) {
        new Thread(Main::work).start();
        write();
        while (!written) {
            Thread.onSpinWait();
        }
        System.out.println("exit");
        System.exit(3);
    }
}
