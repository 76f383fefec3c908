import java.io.PrintStream;

/** Exceptions from woven code, with their traces: no frame may be added, no line may move. */
public class Main {
    static class Broken {
        static final int SIZE = Integer.parseInt("no number");
    }

    private final Object lock = new Object();
    private volatile int stamp;
    private int value;
    private long wide;

    synchronized int fail(int depth) {
        value++;
        if (depth == 0) {
            synchronized (lock) {
                stamp = value / (int) wide;
            }
        }
        return fail(depth - 1);
    }

    static void tell(Runnable action) {
        try {
            action.run();
        } catch (Throwable thrown) {
            PrintStream out = System.out;
            for (Throwable at = thrown; at != null; at = at.getCause()) {
                out.println(at);
                for (StackTraceElement frame : at.getStackTrace()) {
                    out.println("    at " + frame);
                }
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Main none = null;
        tell(() -> main.fail(3));
        tell(() -> none.wide = 1);
        tell(() -> System.out.println(none.wide + Broken.SIZE));
        tell(() -> System.out.println(main.wide + Broken.SIZE));
        tell(() -> System.out.println(Broken.SIZE));
        tell(() -> none.notify());
        tell(() -> main.notify());
        tell(() -> ((Thread) (Object) main).start());
        Thread thread = new Thread(() -> {});
        thread.start();
        thread.join();
        tell(thread::start);
        tell(() -> {
            Thread.currentThread().interrupt();
            try {
                Thread.sleep(10);
            } catch (InterruptedException expected) {
                throw new IllegalStateException(expected);
            }
        });
    }
}
