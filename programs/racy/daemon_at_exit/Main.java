/** The JVM ends while a daemon thread still writes. */
public class Main {
    private static long value;
    private static volatile boolean begun;

    static void forever() {
        for (;;) {
            value++; // race: reads writes value
            begun = true;
        }
    }

    static void write() {
        value = 1; // race: writes value
    }

    public static void main(String[] arguments) {
        Thread daemon = new Thread(Main::forever);
        daemon.setDaemon(true);
        daemon.start();
        write();
        while (!begun) {
            Thread.onSpinWait();
        }
        System.out.println("main is over");
    }
}
