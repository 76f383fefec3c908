import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/** Both draw random numbers between the two accesses: the generator's seed is no message of the program. */
public class Main {
    private static final AtomicBoolean DRAWN = new AtomicBoolean();
    private static final Random RANDOM = new Random();
    private static int value;

    static double draw() {
        return Math.random() + ThreadLocalRandom.current().nextDouble() + RANDOM.nextDouble() + Math.abs(RANDOM.nextGaussian());
    }

    static double first() {
        value = 1; // race: writes value
        double drawn = draw();
        DRAWN.setOpaque(true);
        return drawn;
    }

    static double second() {
        while (!DRAWN.getOpaque()) {
            Thread.onSpinWait();
        }
        double drawn = draw();
        value = 2; // race: writes value
        return drawn;
    }

    public static void main(String[] arguments) throws InterruptedException {
        // What this initializes would order the two.
        draw();
        DRAWN.setOpaque(DRAWN.getOpaque());
        Thread other = new Thread(Main::first);
        other.start();
        double drawn = second();
        other.join();
        System.out.println(drawn >= 0);
    }
}
