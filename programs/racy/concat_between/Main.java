import java.util.concurrent.atomic.AtomicBoolean;

/** Both join strings between the two accesses: the linkage of such a place takes locks, but none of the program's. */
public class Main {
    private static final AtomicBoolean JOINED = new AtomicBoolean();
    private static int value;

    static String first(int number, String text) {
        value = 1; // race: writes value
        String joined = "one " + number + text + '!';
        JOINED.setOpaque(true);
        return joined;
    }

    static String second(int number, String text) {
        while (!JOINED.getOpaque()) {
            Thread.onSpinWait();
        }
        String joined = "two " + text + number + '.';
        value = 2; // race: writes value
        return joined;
    }

    public static void main(String[] arguments) throws InterruptedException {
        // What this initializes would order the two.
        String joined = "zero " + arguments.length + Main.class + '?';
        JOINED.setOpaque(JOINED.getOpaque());
        Thread other = new Thread(() -> first(1, "a"));
        other.start();
        joined = second(2, "b");
        other.join();
        System.out.println(joined);
    }
}
