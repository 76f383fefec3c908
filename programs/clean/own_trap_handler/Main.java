import java.util.concurrent.CountDownLatch;
import sun.misc.Signal;

/** Handles SIGTRAP itself, which watchpoints use too: each of its signals reaches it, and none that is not its own. */
public class Main {
    static volatile int traps;

    final Object lock = new Object();

    long sum;

    void add(int times) {
        for (int i = 0; i < times; i++) {
            synchronized (lock) {
                sum += i;
            }
        }
    }

    static void raise(int expected) throws InterruptedException {
        CountDownLatch trapped = new CountDownLatch(1);
        Signal.handle(new Signal("TRAP"), signal -> {
            traps++;
            trapped.countDown();
        });
        Signal.raise(new Signal("TRAP"));
        trapped.await();
        System.out.println("traps: " + traps + " of " + expected);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        for (int round = 1; round <= 3; round++) {
            Thread one = new Thread(() -> main.add(20_000));
            Thread other = new Thread(() -> main.add(20_000));
            one.start();
            other.start();
            one.join();
            other.join();
            raise(round);
        }
        System.out.println(main.sum);
    }
}
