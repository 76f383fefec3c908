/** Each sets its flag and looks at the other's; with volatile flags at most one of them enters. */
public class Main {
    private static volatile boolean one;
    private static volatile boolean two;
    private static int entered;

    static void first() {
        one = true;
        if (!two) {
            entered++;
        }
    }

    static void second() {
        two = true;
        if (!one) {
            entered++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int most = 0;
        for (int round = 0; round < 100; round++) {
            one = false;
            two = false;
            entered = 0;
            Thread other = new Thread(Main::second);
            other.start();
            first();
            other.join();
            most = Math.max(most, entered);
        }
        System.out.println(most <= 1);
    }
}
