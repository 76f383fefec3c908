import java.util.BitSet;

/** One thread sets a bit, another reads one. */
public class Main {
    private static final BitSet BITS = new BitSet();

    static void set() {
        BITS.set(3); // race: writes BitSet
    }

    static boolean get() {
        return BITS.get(5); // race: reads BitSet
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread setter = new Thread(Main::set);
        setter.start();
        boolean seen = get();
        setter.join();
        System.out.println(seen);
    }
}
