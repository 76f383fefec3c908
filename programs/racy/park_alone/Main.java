import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** unpark() wakes, but promises no order: park() may also return for no reason. */
public class Main {
    private static int data;

    static void send(Thread receiver) {
        data = 7; // race: writes data
        LockSupport.unpark(receiver);
    }

    static int receive() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        return data; // race: reads data
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread main = Thread.currentThread();
        Thread sender = new Thread(() -> send(main));
        sender.start();
        int seen = receive();
        sender.join();
        System.out.println(seen < 8);
    }
}
