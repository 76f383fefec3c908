import java.lang.ref.Cleaner;

/** The object's last use is its registration: the action may run before the state is written. */
public class Main {
    private static final Cleaner CLEANER = Cleaner.create();
    private static volatile boolean cleaned;

    static final class State implements Runnable {
        int value;

        @Override
        public void run() {
            value++; // race: reads writes value
            cleaned = true;
        }
    }

    static State register() {
        State state = new State();
        CLEANER.register(new Object(), state);
        return state;
    }

    static void forget() {
        register().value = 2; // race: writes value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread forgetful = new Thread(Main::forget);
        forgetful.start();
        while (!cleaned) {
            System.gc();
            Thread.sleep(5);
        }
        forgetful.join();
        System.out.println("cleaned");
    }
}
