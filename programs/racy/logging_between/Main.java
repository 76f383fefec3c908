import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;

/** Both log between the two accesses: what the logger and its handler lock hands nothing over. */
public class Main {
    private static final Logger LOGGER = Logger.getLogger("main");
    private static final AtomicBoolean LOGGED = new AtomicBoolean();
    private static int value;

    static void first() {
        value = 1; // race: writes value
        LOGGER.info("one");
        LOGGED.setOpaque(true);
    }

    static void second() {
        while (!LOGGED.getOpaque()) {
            Thread.onSpinWait();
        }
        LOGGER.info("two");
        value = 2; // race: writes value
    }

    public static void main(String[] arguments) throws InterruptedException {
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(new StreamHandler(OutputStream.nullOutputStream(), new SimpleFormatter()));
        // What this initializes would order the two.
        LOGGER.info("zero");
        LOGGED.setOpaque(LOGGED.getOpaque());
        Thread other = new Thread(Main::first);
        other.start();
        second();
        other.join();
        System.out.println("logged");
    }
}
