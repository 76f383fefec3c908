/** Statistics: one counter is guarded by a lock, one by two locks in turn, one by none. */
public class Main {
    static final Object LOCK = new Object(), OTHER = new Object();
    static int guarded, changing, free;

    static void count(boolean first) {
        for (int i = 0; i < 500; i++) {
            synchronized (LOCK) {
                guarded++;
            }
            synchronized (first ? LOCK : OTHER) {
                changing++;
            }
            free++;
            // Long enough for both to be there at once, on a busy machine too.
            if (i % 25 == 0) {
                try {
                    Thread.sleep(20);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(() -> count(true)), b = new Thread(() -> count(false));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(guarded);
    }
}
