/** Three threads read a table, a fourth writes one element of it. */
public class Main {
    static double sum(double[] table) {
        double sum = 0;
        for (double value : table) { // race: reads []
            sum += value;
        }
        return sum;
    }

    static void set(double[] table) {
        table[117] = 0; // race: writes []
    }

    public static void main(String[] arguments) throws InterruptedException {
        double[] table = new double[300];
        Thread[] threads = new Thread[4];
        for (int i = 0; i < 3; i++) {
            threads[i] = new Thread(() -> sum(table));
        }
        threads[3] = new Thread(() -> set(table));
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(sum(table));
    }
}
