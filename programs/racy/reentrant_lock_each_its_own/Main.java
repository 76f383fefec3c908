import java.util.concurrent.locks.ReentrantLock;

/** Two threads lock, each a lock of its own. */
public class Main {
    private static final ReentrantLock ONE = new ReentrantLock();
    private static final ReentrantLock TWO = new ReentrantLock();
    private static long balance;

    static void deposit() {
        ONE.lock();
        try {
            balance += 5; // race: reads writes balance
        } finally {
            ONE.unlock();
        }
    }

    static void withdraw() {
        TWO.lock();
        try {
            balance -= 5; // race: reads writes balance
        } finally {
            TWO.unlock();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread depositor = new Thread(Main::deposit);
        depositor.start();
        withdraw();
        depositor.join();
        System.out.println("booked");
    }
}
