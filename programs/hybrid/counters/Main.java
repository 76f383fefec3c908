import java.util.concurrent.CountDownLatch;

/** Statistics: one counter is guarded by a lock, one by two locks in turn, one by none. */
public class Main {
    static final Object LOCK = new Object(), OTHER = new Object();
    static final CountDownLatch HALFWAY = new CountDownLatch(2);
    static int guarded, changing, free;

    static void count(boolean first) throws InterruptedException {
        for (int i = 0; i < 500; i++) {
            synchronized (LOCK) {
                guarded++;
            }
            if (i == 250) {
                // However long the one is before the other: what comes next nothing orders.
                HALFWAY.countDown();
                HALFWAY.await();
            }
            synchronized (first ? LOCK : OTHER) {
                changing++;
            }
            free++;
        }
    }

    static Thread counting(boolean first) {
        return new Thread(() -> {
            try {
                count(first);
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        });
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = counting(true), b = counting(false);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(guarded);
    }
}
