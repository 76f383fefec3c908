import java.util.concurrent.locks.ReentrantLock;

/** The result of tryLock() is not looked at: the lock is another's all the time. */
public class Main {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static int balance;

    static void deposit() {
        LOCK.tryLock();
        balance++; // race: reads writes balance
    }

    public static void main(String[] arguments) throws InterruptedException {
        LOCK.lock();
        Thread depositor = new Thread(Main::deposit);
        depositor.start();
        balance++; // race: reads writes balance
        depositor.join();
        LOCK.unlock();
        System.out.println(balance > 0);
    }
}
