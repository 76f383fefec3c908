/** Double-checked locking without volatile. */
public class Main {
    static final class Helper {
        int value;

        Helper(int value) {
            this.value = value;
        }
    }

    private static final Object LOCK = new Object();
    private static Helper helper;

    static Helper get() {
        if (helper == null) {
            synchronized (LOCK) {
                if (helper == null) {
                    helper = new Helper(3);
                }
            }
        }
        return helper;
    }

    static void use() {
        if (get().value != 3) {
            throw new AssertionError();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(Main::use);
        Thread two = new Thread(Main::use);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("used");
    }
}
