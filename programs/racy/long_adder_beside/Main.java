import java.util.concurrent.atomic.LongAdder;

/** The count is safe, what is kept beside it is not. */
public class Main {
    private static final LongAdder COUNT = new LongAdder();
    private static String last;

    static void add() {
        COUNT.increment();
        last = Thread.currentThread().getName(); // race: writes last
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(Main::add);
        other.start();
        add();
        other.join();
        System.out.println(COUNT.sum() + " " + (last != null));
    }
}
