/** Synchronized methods of an object and of a class, with exceptions. */
public class Main {
    private long sum;
    private static int calls;

    synchronized void add(int amount) {
        if (amount % 7 == 0) {
            throw new IllegalArgumentException();
        }
        sum += amount;
    }

    static synchronized void called() {
        calls++;
    }

    void work() {
        for (int i = 0; i < 1000; i++) {
            called();
            try {
                add(i);
            } catch (IllegalArgumentException expected) {
                called();
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread one = new Thread(main::work);
        Thread two = new Thread(main::work);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(main.sum + " " + calls);
    }
}
