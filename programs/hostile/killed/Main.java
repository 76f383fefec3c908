import java.util.concurrent.atomic.AtomicBoolean;

/** Kills itself at the moment that its argument names: before a race for 0 to 6, after it for 7 to 9. */
public class Main {
    static final AtomicBoolean WRITTEN = new AtomicBoolean();
    static int shared;
    static int moment;

    static void at(int now) {
        if (now != moment) {
            return;
        }
        try {
            long pid = ProcessHandle.current().pid();
            new ProcessBuilder("kill", "-9", Long.toString(pid)).start().waitFor();
            Thread.sleep(60_000);
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
    }

    static void first() {
        at(3);
        shared = 1;
        at(4);
        WRITTEN.setOpaque(true);
    }

    static void second() {
        at(6);
        shared = 2;
        at(7);
    }

    public static void main(String[] arguments) throws Exception {
        moment = Integer.parseInt(arguments[0]);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> at(9)));
        at(0);
        Thread one = new Thread(Main::first);
        at(1);
        one.start();
        at(2);
        // It has written, and no order.
        while (!WRITTEN.getOpaque()) {
            Thread.sleep(1);
        }
        at(5);
        Thread two = new Thread(Main::second);
        two.start();
        two.join();
        at(8);
    }
}
