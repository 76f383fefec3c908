import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A buffer of one place with two conditions of one lock; await with and without a limit, signal and signalAll. */
public class Main {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition emptied = lock.newCondition();
    private int[] place;

    void put(int value) throws InterruptedException {
        lock.lock();
        try {
            while (place != null) {
                emptied.await(1, TimeUnit.SECONDS);
            }
            place = new int[] {value};
            filled.signal();
        } finally {
            lock.unlock();
        }
    }

    int take() throws InterruptedException {
        lock.lock();
        try {
            while (place == null) {
                filled.await();
            }
            int value = place[0];
            place = null;
            emptied.signalAll();
            return value;
        } finally {
            lock.unlock();
        }
    }

    void produce() {
        try {
            for (int i = 1; i <= 100; i++) {
                put(i);
            }
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread producer = new Thread(main::produce);
        producer.start();
        int sum = 0;
        for (int i = 1; i <= 100; i++) {
            sum += main.take();
        }
        producer.join();
        System.out.println(sum);
    }
}
