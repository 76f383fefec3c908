/** Each thread waits for the one before it: the last has seen all. */
public class Main {
    private static int sum;

    static void add(Thread before, int amount) {
        try {
            if (before != null) {
                before.join();
            }
            sum += amount;
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread last = null;
        for (int i = 1; i <= 10; i++) {
            Thread before = last;
            int amount = i;
            last = new Thread(() -> add(before, amount));
            last.start();
        }
        last.join();
        System.out.println(sum);
    }
}
