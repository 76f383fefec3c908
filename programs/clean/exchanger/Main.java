import java.util.concurrent.Exchanger;

/** Filler and emptier swap their buffers. */
public class Main {
    private static final Exchanger<int[]> EXCHANGER = new Exchanger<>();
    private static final int ROUNDS = 50;

    static void fill() {
        try {
            int[] buffer = new int[4];
            for (int round = 1; round <= ROUNDS; round++) {
                for (int i = 0; i < buffer.length; i++) {
                    buffer[i] = round;
                }
                buffer = EXCHANGER.exchange(buffer);
            }
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread filler = new Thread(Main::fill);
        filler.start();
        int sum = 0;
        int[] buffer = new int[4];
        for (int round = 1; round <= ROUNDS; round++) {
            buffer = EXCHANGER.exchange(buffer);
            for (int i = 0; i < buffer.length; i++) {
                sum += buffer[i];
                buffer[i] = 0;
            }
        }
        filler.join();
        System.out.println(sum);
    }
}
