/** A program whose events are all known. */
public class Events {
    int x;
    volatile int v;
    static long total;

    synchronized int bump(int[] a) {
        a[1] = x;
        return ++x;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Events events = new Events();
        int[] a = new int[2];
        events.bump(a);
        synchronized (a) {
            total += a[0];
        }
        events.v = 3;
        Thread thread = new Thread();
        thread.start();
        thread.join();
        try {
            a[2] = events.v;
        } catch (ArrayIndexOutOfBoundsException e) {
            total = 1;
        }
    }
}
