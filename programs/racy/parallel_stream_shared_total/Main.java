import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/** A parallel forEach adds to one total. Its steps meet by opaque flags, which order nothing: so two threads run. */
public class Main {
    private static final AtomicIntegerArray STARTED = new AtomicIntegerArray(2);
    private static int total;

    static void add(int me) {
        STARTED.setOpaque(me, 1);
        while (STARTED.getOpaque(1 - me) == 0) {
            Thread.onSpinWait();
        }
        total += me; // race: reads writes total
    }

    public static void main(String[] arguments) {
        ForkJoinPool pool = new ForkJoinPool(4);
        pool.submit(() -> IntStream.range(0, 2).parallel().forEach(Main::add)).join();
        pool.shutdown();
        System.out.println(total < 2);
    }
}
