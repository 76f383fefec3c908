/** Double-checked locking without volatile. */
public class Main {
    static final class Helper {
        int value;

        Helper(int value) {
            this.value = value; // race: writes value
        }
    }

    private static final Object LOCK = new Object();
    private static Helper helper;

    static Helper get() {
        if (helper == null) { // race: reads helper
            synchronized (LOCK) {
                if (helper == null) { // race: reads helper
                    helper = new Helper(3); // race: writes helper
                }
            }
        }
        return helper; // race: reads helper
    }

    static void use() {
        if (get().value != 3) { // race: reads value
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
