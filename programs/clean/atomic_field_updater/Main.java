import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** Updaters of an int, a long and a reference field; what one side does by updater, the other may do by the field. */
public class Main {
    private static final AtomicIntegerFieldUpdater<Main> INT = AtomicIntegerFieldUpdater.newUpdater(Main.class, "turn");
    private static final AtomicLongFieldUpdater<Main> LONG = AtomicLongFieldUpdater.newUpdater(Main.class, "stamp");
    private static final AtomicReferenceFieldUpdater<Main, Main> REFERENCE =
            AtomicReferenceFieldUpdater.newUpdater(Main.class, Main.class, "next");

    private volatile int turn;
    private volatile long stamp;
    private volatile Main next;
    private int byTurn;
    private int byStamp;
    private int body;

    void send() {
        byTurn = 1;
        INT.compareAndSet(this, 0, 1);
        byStamp = 2;
        stamp = 1;
        Main letter = new Main();
        letter.body = 3;
        REFERENCE.lazySet(this, letter);
    }

    int receive() {
        while (turn == 0) {
            Thread.onSpinWait();
        }
        int sum = byTurn;
        while (LONG.getAndAdd(this, 0) == 0) {
            Thread.onSpinWait();
        }
        sum += byStamp;
        while (next == null) {
            Thread.onSpinWait();
        }
        return sum + REFERENCE.get(this).body;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread sender = new Thread(main::send);
        sender.start();
        int sum = main.receive();
        sender.join();
        System.out.println(sum);
    }
}
