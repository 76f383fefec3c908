/** Main returns at once, its workers go on, and a daemon is cut off. */
public class Main {
    private static int value;
    private static int beats;

    static synchronized void add() {
        value++;
        if (value == 2000) {
            System.out.println("all added");
        }
    }

    static void beat() {
        for (;;) {
            beats++;
        }
    }

    static void work() {
        for (int i = 0; i < 1000; i++) {
            add();
        }
    }

    public static void main(String[] arguments) {
        Thread daemon = new Thread(Main::beat);
        daemon.setDaemon(true);
        daemon.start();
        new Thread(Main::work).start();
        new Thread(Main::work).start();
    }
}
