/** Threads use arrays of their own, pass them to other methods, and make so many that the collector moves some of them. */
public class Main {
    private static final int ROUNDS = 20_000;
    private static Object[] garbage = new Object[64];

    private static int fill(int[] numbers, int from) {
        int sum = 0;
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = from + i;
        }
        for (int number : numbers) {
            sum += number;
        }
        return sum + last(numbers);
    }

    private static int last(int[] numbers) {
        return numbers[numbers.length - 1];
    }

    static int work(int rank) {
        int sum = 0;
        int[] all = new int[256];
        for (int round = 0; round < ROUNDS; round++) {
            int[] numbers = new int[16];
            synchronized (Main.class) {
                garbage[round & 63] = new byte[1024];
            }
            sum += fill(numbers, rank) + numbers[3];
            all[round & 255] = sum;
            sum += last(all);
        }
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] sums = new int[3];
        Thread[] threads = new Thread[sums.length];
        for (int rank = 0; rank < threads.length; rank++) {
            int own = rank;
            threads[rank] = new Thread(() -> sums[own] = work(own));
            threads[rank].start();
        }
        int sum = 0;
        for (int rank = 0; rank < threads.length; rank++) {
            threads[rank].join();
            sum += sums[rank];
        }
        System.out.println(sum);
    }
}
