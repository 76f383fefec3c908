import java.lang.ref.Reference;

/** A finalizer sees the end of the constructor, and what came before the last reachabilityFence(). */
public class Main {
    private static volatile boolean finalized;
    private static int sum;

    @SuppressWarnings({"deprecation", "removal"})
    static final class Resource {
        private int made;
        private int used;

        Resource(int made) {
            this.made = made;
        }

        void use(int used) {
            this.used = used;
            Reference.reachabilityFence(this);
        }

        @Override
        protected void finalize() {
            sum = made + used;
            finalized = true;
        }
    }

    static void forget() {
        new Resource(1).use(2);
    }

    public static void main(String[] arguments) throws InterruptedException {
        new Thread(Main::forget).start();
        while (!finalized) {
            System.gc();
            Thread.sleep(5);
        }
        System.out.println(sum);
    }
}
