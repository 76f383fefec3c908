import java.util.concurrent.atomic.AtomicInteger;

/** Writer and reader use two atomics of the same class: no order. */
public class Main {
    private static final AtomicInteger ONE = new AtomicInteger();
    private static final AtomicInteger TWO = new AtomicInteger();
    private static int data;

    static void write() {
        data = 1; // race: writes data
        ONE.incrementAndGet();
    }

    static int read() {
        return TWO.incrementAndGet() + data; // race: reads data
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(Main::write);
        writer.start();
        int seen = read();
        writer.join();
        System.out.println(seen > 0);
    }
}
