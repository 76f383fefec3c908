/**
 * An exception leaves synchronized code, and the handler outside goes on without the lock. One access before and one after:
 * whichever of the threads has the lock first, one of them is unordered.
 */
public class Main {
    private int value;
    private int other;
    private final Object lock = new Object();

    synchronized void fail() {
        throw new IllegalStateException();
    }

    void failInBlock() {
        synchronized (lock) {
            throw new IllegalStateException();
        }
    }

    void unlocked() {
        value++; // race: reads writes value
        try {
            fail();
        } catch (IllegalStateException expected) {
            value++; // race: reads writes value
        }
        other++; // race: reads writes other
        try {
            failInBlock();
        } catch (IllegalStateException expected) {
            other++; // race: reads writes other
        }
    }

    void locked() {
        synchronized (this) {
            value++; // race: reads writes value
        }
        synchronized (lock) {
            other++; // race: reads writes other
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread one = new Thread(main::unlocked);
        Thread two = new Thread(main::locked);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
