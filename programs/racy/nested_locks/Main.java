/** Three locks are held, taken in three methods, and the other side holds none of them. */
public class Main {
    private final Object outer = new Object();
    private final StringBuilder inner = new StringBuilder();
    private int value;

    void one() {
        synchronized (outer) {
            two();
        }
    }

    synchronized void two() {
        synchronized (inner) {
            value++; // race: reads writes value
        }
    }

    void bare() {
        value++; // race: reads writes value
        one();
        value++; // race: reads writes value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread one = new Thread(main::one);
        Thread two = new Thread(main::bare);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
