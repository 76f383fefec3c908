import java.lang.ref.Cleaner;
import java.lang.ref.Reference;

/** A cleaning action sees what was done before the last reachabilityFence() of its object, or before clean(). */
public class Main {
    private static final Cleaner CLEANER = Cleaner.create();
    private static volatile boolean cleaned;
    private static int sum;

    static final class State implements Runnable {
        int value;

        @Override
        public void run() {
            sum += value;
            cleaned = true;
        }
    }

    static final class Resource implements AutoCloseable {
        private final State state = new State();
        private final Cleaner.Cleanable cleanable = CLEANER.register(this, state);

        void set(int value) {
            state.value = value;
            Reference.reachabilityFence(this);
        }

        @Override
        public void close() {
            cleanable.clean();
        }
    }

    static void forget() {
        new Resource().set(2);
    }

    public static void main(String[] arguments) throws InterruptedException {
        try (Resource closed = new Resource()) {
            closed.set(1);
        }
        cleaned = false;
        new Thread(Main::forget).start();
        while (!cleaned) {
            System.gc();
            Thread.sleep(5);
        }
        System.out.println(sum);
    }
}
