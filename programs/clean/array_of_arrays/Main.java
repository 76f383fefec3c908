/** Threads share an array of arrays that nobody changes, and own a row each; then the rows go round. */
public class Main {
    static void fill(int[][] rows, int mine, int value) {
        int[] row = rows[mine];
        for (int i = 0; i < row.length; i++) {
            row[i] += value;
            rows[mine][i] ^= i;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[][] rows = new int[3][100];
        for (int round = 0; round < 12; round++) {
            Thread[] threads = new Thread[3];
            for (int t = 0; t < 3; t++) {
                int mine = (t + round) % 3;
                int value = round;
                threads[t] = new Thread(() -> fill(rows, mine, value));
                threads[t].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        long sum = 0;
        for (int[] row : rows) {
            for (int value : row) {
                sum += value;
            }
        }
        System.out.println(sum);
    }
}
