import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The data is written after the signal was given and the lock left. */
public class Main {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Condition READY = LOCK.newCondition();
    private static boolean ready;
    private static int data;

    static void produce() {
        LOCK.lock();
        try {
            ready = true;
            READY.signal();
        } finally {
            LOCK.unlock();
        }
        data = 1; // race: writes data
    }

    static int consume() throws InterruptedException {
        LOCK.lock();
        try {
            while (!ready) {
                READY.await();
            }
        } finally {
            LOCK.unlock();
        }
        return data; // race: reads data
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread producer = new Thread(Main::produce);
        producer.start();
        int seen = consume();
        producer.join();
        System.out.println(seen < 2);
    }
}
