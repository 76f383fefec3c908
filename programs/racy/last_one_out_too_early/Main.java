import java.util.concurrent.atomic.AtomicInteger;

/** Each worker counts down before it has written its part; the last one adds up. */
public class Main {
    static final class Part {
        int value;
    }

    private static final AtomicInteger LEFT = new AtomicInteger(2);
    private static final Part[] PARTS = {new Part(), new Part()};

    static void write(int worker) {
        PARTS[worker].value = worker + 1; // race: writes value
    }

    static int sum() {
        return PARTS[0].value + PARTS[1].value; // race: reads value
    }

    static void work(int worker) {
        boolean last = LEFT.decrementAndGet() == 0;
        write(worker);
        if (last && sum() > 3) {
            throw new AssertionError();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(() -> work(1));
        other.start();
        work(0);
        other.join();
        System.out.println("left");
    }
}
