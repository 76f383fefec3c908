import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/** A field set, and another got, by method handles, against plain accesses. */
public class Main {
    private static final MethodHandle SETTER;
    private static final MethodHandle GETTER;
    private static int set;
    private int got;

    static {
        try {
            SETTER = MethodHandles.lookup().findStaticSetter(Main.class, "set", int.class);
            GETTER = MethodHandles.lookup().findGetter(Main.class, "got", int.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    static void setByHandle() {
        try {
            SETTER.invokeExact(1); // race: writes set
        } catch (Throwable unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    static int readPlainly() {
        return set; // race: reads set
    }

    static void writePlainly(Main main) {
        main.got = 1; // race: writes got
    }

    static int getByHandle(Main main) {
        try {
            return (int) GETTER.invokeExact(main); // race: reads got
        } catch (Throwable unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        // What this initializes would order the two.
        setByHandle();
        getByHandle(main);
        Thread other = new Thread(() -> {
            setByHandle();
            writePlainly(main);
        });
        other.start();
        int seen = readPlainly() + getByHandle(main);
        other.join();
        System.out.println(seen < 3);
    }
}
