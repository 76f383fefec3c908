import java.util.concurrent.atomic.AtomicBoolean;

/** Both print between the two accesses: the lock inside System.out hands nothing over. Nor does the opaque flag. */
public class Main {
    private static final AtomicBoolean PRINTED = new AtomicBoolean();
    private static int value;

    static void first() {
        value = 1; // race: writes value
        System.out.println("one");
        PRINTED.setOpaque(true);
    }

    static void second() {
        while (!PRINTED.getOpaque()) {
            Thread.onSpinWait();
        }
        System.out.println("two");
        value = 2; // race: writes value
    }

    public static void main(String[] arguments) throws InterruptedException {
        // What this initializes would order the two.
        System.out.println("zero");
        PRINTED.setOpaque(PRINTED.getOpaque());
        Thread other = new Thread(Main::first);
        other.start();
        second();
        other.join();
    }
}
