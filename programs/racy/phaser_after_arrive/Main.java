import java.util.concurrent.Phaser;

/** The worker arrives first and writes its result then. */
public class Main {
    private static final Phaser PHASER = new Phaser(1);
    private static int result;

    static void work() {
        PHASER.arrive();
        result = 7; // race: writes result
    }

    static int use() {
        PHASER.awaitAdvance(0);
        return result; // race: reads result
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread worker = new Thread(Main::work);
        worker.start();
        int seen = use();
        worker.join();
        System.out.println(seen < 8);
    }
}
