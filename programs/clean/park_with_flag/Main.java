import java.util.concurrent.locks.LockSupport;

/** A thread parks until a volatile flag tells it why it was woken; park() may return for no reason. */
public class Main {
    private static volatile boolean ready;
    private static int data;

    static void send(Thread receiver) {
        data = 7;
        ready = true;
        LockSupport.unpark(receiver);
    }

    static int receive() {
        while (!ready) {
            LockSupport.park(Main.class);
        }
        return data;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread main = Thread.currentThread();
        Thread sender = new Thread(() -> send(main));
        sender.start();
        int seen = receive();
        sender.join();
        System.out.println(seen);
    }
}
