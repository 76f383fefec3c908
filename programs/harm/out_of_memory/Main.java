import java.util.ArrayList;
import java.util.List;

/** Memory runs out, again and again, in a thread that survives it and in one that does not. */
public class Main {
    static List<Object> kept = new ArrayList<>();
    static int[][] arrays = new int[1 << 16][];

    static String fill(Runnable step) {
        try {
            while (true) {
                step.run();
            }
        } catch (OutOfMemoryError expected) {
            return expected.getMessage();
        } finally {
            kept = null;
            arrays = null;
            kept = new ArrayList<>();
            arrays = new int[1 << 16][];
        }
    }

    static int filled;

    public static void main(String[] arguments) throws InterruptedException {
        for (int round = 0; round < 2; round++) {
            System.out.println(fill(() -> kept.add(new byte[100_000])));
            filled = 0;
            System.out.println(fill(() -> arrays[filled++ % arrays.length] = new int[5000]));
            System.out.println(fill(() -> kept.add(new Object[] {kept})));
        }
        try {
            System.out.println(new long[Integer.MAX_VALUE].length);
        } catch (OutOfMemoryError expected) {
            System.out.println(expected.getMessage());
        }
        Thread thread = new Thread(() -> {
            List<long[]> all = new ArrayList<>();
            while (true) {
                all.add(new long[10_000]);
            }
        });
        thread.setUncaughtExceptionHandler((which, thrown) -> System.out.println("uncaught " + thrown.getClass()));
        thread.start();
        thread.join();
        System.out.println("still here");
    }
}
