import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** An interrupt that ends waiting inside java.util.concurrent hands over what came before it. */
public class Main {
    interface Wait {
        void now() throws InterruptedException;
    }

    private static final LinkedBlockingQueue<Object> QUEUE = new LinkedBlockingQueue<>();
    private static final CountDownLatch LATCH = new CountDownLatch(1);
    private static final Semaphore NONE = new Semaphore(0);
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Condition NEVER = LOCK.newCondition();

    static void await() throws InterruptedException {
        LOCK.lock();
        try {
            while (true) {
                NEVER.await();
            }
        } finally {
            LOCK.unlock();
        }
    }

    static int interrupted(Wait wait) throws InterruptedException {
        int[] data = new int[2];
        Thread waiter = new Thread(() -> {
            try {
                wait.now();
            } catch (InterruptedException expected) {
                data[1] = data[0];
            }
        });
        waiter.start();
        data[0] = 1;
        waiter.interrupt();
        waiter.join();
        return data[1];
    }

    public static void main(String[] arguments) throws InterruptedException {
        int sum = interrupted(QUEUE::take) + interrupted(LATCH::await) + interrupted(NONE::acquire);
        System.out.println(sum + interrupted(Main::await));
    }
}
