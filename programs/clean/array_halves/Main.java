/** A parent fills an array, two children sort out one half each, the parent reads all of it. */
public class Main {
    static void square(long[] values, int from, int to) {
        for (int i = from; i < to; i++) {
            values[i] *= values[i];
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        long sum = 0;
        for (int round = 0; round < 30; round++) {
            long[] values = new long[1 + 37 * round];
            for (int i = 0; i < values.length; i++) {
                values[i] = i;
            }
            int middle = values.length / 2;
            Thread one = new Thread(() -> square(values, 0, middle));
            Thread two = new Thread(() -> square(values, middle, values.length));
            one.start();
            two.start();
            one.join();
            two.join();
            for (long value : values) {
                sum += value;
            }
        }
        System.out.println(sum);
    }
}
