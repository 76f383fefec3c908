/** An interrupt hands over what its sender did: to whoever is thrown out of a sleep or a join, or asks. */
public class Main {
    private static String asleep;
    private static String joining;
    private static int asking;

    static void sleep() {
        try {
            Thread.sleep(60_000);
        } catch (InterruptedException expected) {
            asleep += " and awake";
        }
    }

    static void join(Thread other) {
        try {
            other.join();
        } catch (InterruptedException expected) {
            joining += " and gone";
        }
    }

    static void ask() {
        while (!Thread.interrupted()) {
            Thread.onSpinWait();
        }
        asking++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread main = Thread.currentThread();
        Thread sleeper = new Thread(Main::sleep);
        Thread joiner = new Thread(() -> join(main));
        Thread asker = new Thread(Main::ask);
        sleeper.start();
        joiner.start();
        asker.start();
        asleep = "asleep";
        sleeper.interrupt();
        joining = "joining";
        joiner.interrupt();
        asking = 1;
        asker.interrupt();
        sleeper.join();
        joiner.join();
        asker.join();
        System.out.println(asleep + ", " + joining + ", " + asking);
    }
}
