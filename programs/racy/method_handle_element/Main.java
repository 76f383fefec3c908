import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/** Elements got and set by method handles, on both sides. */
public class Main {
    private static final MethodHandle GET = MethodHandles.arrayElementGetter(int[].class);
    private static final MethodHandle SET = MethodHandles.arrayElementSetter(int[].class);
    private static final int[] ARRAY = new int[100];

    static void set() {
        try {
            SET.invokeExact(ARRAY, 99, 1); // race: writes []
        } catch (Throwable unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    static int get() {
        try {
            return (int) GET.invokeExact(ARRAY, 99); // race: reads []
        } catch (Throwable unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(Main::set);
        other.start();
        int seen = get();
        other.join();
        System.out.println(seen < 2);
    }
}
