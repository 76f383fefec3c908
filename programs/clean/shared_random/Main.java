import java.util.Random;

/** One generator for two threads, with all its state; what it fills is each thread's own. */
public class Main {
    private static final Random RANDOM = new Random(1);

    static double draw() {
        byte[] bytes = new byte[100];
        double sum = 0;
        for (int i = 0; i < 1000; i++) {
            RANDOM.nextBytes(bytes);
            sum += RANDOM.nextGaussian() + RANDOM.nextInt(10) + bytes[i % bytes.length];
            if (i % 100 == 0) {
                RANDOM.setSeed(i);
            }
        }
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(Main::draw);
        other.start();
        double sum = draw();
        other.join();
        System.out.println(!Double.isNaN(sum));
    }
}
