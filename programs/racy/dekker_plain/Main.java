/** With plain flags both may enter, and the flags race themselves. */
public class Main {
    private static boolean one;
    private static boolean two;
    private static int entered;

    static void first() {
        one = true; // race: writes one
        if (!two) { // race: reads two
            entered++; // race: reads writes entered
        }
    }

    static void second() {
        two = true; // race: writes two
        if (!one) { // race: reads one
            entered++; // race: reads writes entered
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(Main::second);
        other.start();
        first();
        other.join();
        System.out.println(entered < 3);
    }
}
