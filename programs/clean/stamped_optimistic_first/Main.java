import java.util.concurrent.locks.StampedLock;

/**
 * Optimistic reads that are the first ones at their places, and are validated: another thread writes half a second later. The
 * reader releases nothing of its own between.
 */
public class Main {
    private static final StampedLock LOCK = new StampedLock();
    private static int counter;
    private static Object name = "first";
    private final long[] numbers = {1, 2};
    private double size = 1;

    static String look(Main main) {
        long stamp = LOCK.tryOptimisticRead();
        int count = counter;
        Object seen = name;
        double size = main.size;
        long number = main.numbers[1];
        return LOCK.validate(stamp) ? count + " " + seen + " " + size + " " + number : "not validated";
    }

    static void change(Main main) {
        long stamp = LOCK.writeLock();
        counter++;
        name = "second";
        main.size = 2;
        main.numbers[1] = 3;
        LOCK.unlockWrite(stamp);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread writer = new Thread(() -> {
            try {
                Thread.sleep(500);
            } catch (InterruptedException never) {
                throw new AssertionError(never);
            }
            change(main);
        });
        writer.start();
        String seen = look(main);
        writer.join();
        System.out.println(seen);
        System.out.println(look(main));
    }
}
