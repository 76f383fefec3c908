import java.util.concurrent.SynchronousQueue;

/** A hand-over orders both ways: the giver's past comes before the take, the taker's before put() returns. */
public class Main {
    private static final SynchronousQueue<int[]> QUEUE = new SynchronousQueue<>();
    private static final SynchronousQueue<int[]> FAIR = new SynchronousQueue<>(true);
    private static final int[] ANSWERS = new int[101];

    static void produce() {
        try {
            for (int i = 1; i <= 100; i++) {
                int[] letter = new int[1];
                letter[0] = i;
                (i % 2 == 0 ? QUEUE : FAIR).put(letter);
                if (ANSWERS[i] != i) {
                    throw new AssertionError();
                }
            }
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread producer = new Thread(Main::produce);
        producer.start();
        int sum = 0;
        for (int i = 1; i <= 100; i++) {
            ANSWERS[i] = i;
            sum += (i % 2 == 0 ? QUEUE : FAIR).take()[0];
        }
        producer.join();
        System.out.println(sum);
    }
}
