/** A finalizer counts with a plain field that other threads count with too. */
public class Main {
    private static volatile boolean finalized;
    private static int open;

    @SuppressWarnings({"deprecation", "removal"})
    static final class Resource {
        @Override
        protected void finalize() {
            open--; // race: reads writes open
            finalized = true;
        }
    }

    static void make() {
        new Resource();
    }

    static void forget() {
        make();
        open++; // race: reads writes open
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread forgetful = new Thread(Main::forget);
        forgetful.start();
        while (!finalized) {
            System.gc();
            Thread.sleep(5);
        }
        forgetful.join();
        System.out.println("finalized");
    }
}
