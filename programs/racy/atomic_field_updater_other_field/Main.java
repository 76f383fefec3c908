import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** The updaters are of two fields of one object: no order. */
public class Main {
    private static final AtomicIntegerFieldUpdater<Main> ONE = AtomicIntegerFieldUpdater.newUpdater(Main.class, "one");
    private static final AtomicIntegerFieldUpdater<Main> TWO = AtomicIntegerFieldUpdater.newUpdater(Main.class, "two");

    private volatile int one;
    private volatile int two;
    private int data;

    void write() {
        data = 1; // race: writes data
        ONE.incrementAndGet(this);
    }

    int read() {
        return TWO.incrementAndGet(this) + data; // race: reads data
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread writer = new Thread(main::write);
        writer.start();
        int seen = main.read();
        writer.join();
        System.out.println(seen > 0);
    }
}
