import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** A forked task and its sibling add to one total. They meet by opaque flags, which order nothing: two threads run. */
public class Main {
    private static final AtomicIntegerArray STARTED = new AtomicIntegerArray(2);
    private static int total;

    static void add(int me) {
        STARTED.setOpaque(me, 1);
        while (STARTED.getOpaque(1 - me) == 0) {
            Thread.onSpinWait();
        }
        total++; // race: reads writes total
    }

    static final class Half extends RecursiveAction {
        private static final long serialVersionUID = 1;
        private final int me;

        Half(int me) {
            this.me = me;
        }

        @Override
        protected void compute() {
            add(me);
        }
    }

    static final class Whole extends RecursiveAction {
        private static final long serialVersionUID = 1;

        @Override
        protected void compute() {
            Half left = new Half(0);
            Half right = new Half(1);
            left.fork();
            right.compute();
            left.join();
        }
    }

    public static void main(String[] arguments) {
        ForkJoinPool pool = new ForkJoinPool(4);
        pool.invoke(new Whole());
        pool.shutdown();
        System.out.println(total > 0);
    }
}
