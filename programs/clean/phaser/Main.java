import java.util.concurrent.Phaser;

/** Rounds separated by a Phaser, whose onAdvance adds up; a party leaves early, another only waits. */
public class Main {
    private static final int[] PARTS = new int[3];
    private static int sum;

    private static final Phaser PHASER = new Phaser(3) {
        @Override
        protected boolean onAdvance(int phase, int parties) {
            for (int part : PARTS) {
                sum += part;
            }
            return parties == 0;
        }
    };

    static void work(int worker, int rounds) {
        for (int round = 1; round < rounds; round++) {
            PARTS[worker] = worker + round + sum % 2;
            PHASER.arriveAndAwaitAdvance();
        }
        PARTS[worker] = 0;
        PHASER.arriveAndDeregister();
    }

    public static void main(String[] arguments) throws InterruptedException {
        new Thread(() -> work(1, 10)).start();
        new Thread(() -> work(2, 20)).start();
        work(0, 15);
        for (int phase = 0; phase >= 0; ) {
            phase = PHASER.awaitAdvance(PHASER.getPhase());
        }
        System.out.println(sum);
    }
}
