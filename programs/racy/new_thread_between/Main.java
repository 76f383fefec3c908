import java.util.concurrent.atomic.AtomicBoolean;

/** Both start and join a thread of their own between the two accesses: threads are counted, but that is no message. */
public class Main {
    private static final AtomicBoolean JOINED = new AtomicBoolean();
    private static int value;

    static void another() {
        Thread thread = new Thread(() -> {});
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    static void first() {
        value = 1; // race: writes value
        another();
        JOINED.setOpaque(true);
    }

    static void second() {
        while (!JOINED.getOpaque()) {
            Thread.onSpinWait();
        }
        another();
        value = 2; // race: writes value
    }

    public static void main(String[] arguments) throws InterruptedException {
        // What this initializes would order the two.
        another();
        JOINED.setOpaque(JOINED.getOpaque());
        Thread other = new Thread(Main::first);
        other.start();
        second();
        other.join();
        System.out.println("joined");
    }
}
