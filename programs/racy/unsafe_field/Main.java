import java.lang.reflect.Field;
import sun.misc.Unsafe;

/** Plain accesses by sun.misc.Unsafe, as lock-free libraries make them. */
public class Main {
    private static final Unsafe UNSAFE;
    private static final long VALUE;
    private static final long[] ELEMENTS = new long[8];
    private int value;

    static {
        try {
            Field unsafe = Unsafe.class.getDeclaredField("theUnsafe");
            unsafe.setAccessible(true);
            UNSAFE = (Unsafe) unsafe.get(null);
            VALUE = UNSAFE.objectFieldOffset(Main.class.getDeclaredField("value"));
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    void put() {
        UNSAFE.putInt(this, VALUE, 1); // race: writes value
    }

    int get() {
        return value; // race: reads value
    }

    static void putElement() {
        UNSAFE.putLong(ELEMENTS, (long) Unsafe.ARRAY_LONG_BASE_OFFSET + 3 * Unsafe.ARRAY_LONG_INDEX_SCALE, 1); // race: writes []
    }

    static long getElement() {
        return ELEMENTS[3]; // race: reads []
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread writer = new Thread(() -> {
            main.put();
            putElement();
        });
        writer.start();
        long seen = main.get() + getElement();
        writer.join();
        System.out.println(seen < 3);
    }
}
