import java.util.concurrent.atomic.AtomicBoolean;

/** Both load a class between the two accesses: the loader's locks hand nothing over. */
public class Main {
    private static final AtomicBoolean LOADED = new AtomicBoolean();
    private static int value;

    static class One {
        int one = 1;
    }

    static class Two {
        int two = 2;
    }

    static int first() {
        value = 1; // race: writes value
        int loaded = new One().one;
        LOADED.setOpaque(true);
        return loaded;
    }

    static int second() {
        while (!LOADED.getOpaque()) {
            Thread.onSpinWait();
        }
        int loaded = new Two().two;
        value = 2; // race: writes value
        return loaded;
    }

    public static void main(String[] arguments) throws InterruptedException {
        // What this initializes would order the two.
        LOADED.setOpaque(LOADED.getOpaque());
        Thread other = new Thread(Main::first);
        other.start();
        int loaded = second();
        other.join();
        System.out.println(loaded);
    }
}
