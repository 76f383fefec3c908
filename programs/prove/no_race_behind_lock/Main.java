/** Looks like `race_on_six`, and each write holds the lock of the reads. */
public class Main {
    static int y;
    static int seen;

    public static void main(String[] args) throws Exception {
        int z = Integer.parseInt(args[0]);
        Object lock = new Object();
        Thread one = new Thread(() -> {
            if (z * 7 == 42) {
                synchronized (lock) {
                    y = 5;
                }
            }
        });
        Thread two = new Thread(() -> {
            synchronized (lock) {
                seen = y;
            }
        });
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
