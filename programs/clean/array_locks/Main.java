/** Arrays are locks too: for their own elements, contended and waited for, while the collector runs. */
public class Main {
    static void count(int[][] cells, int rounds) {
        for (int round = 0; round < rounds; round++) {
            int[] cell = cells[round % cells.length];
            synchronized (cell) {
                cell[0]++;
                synchronized (cell) {
                    cell[1] = cell[0];
                }
                if (round % 100 == 0) {
                    try {
                        cell.wait(1);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    cell[1]--;
                }
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[][] cells = new int[5][3];
        int[] hashes = new int[cells.length];
        for (int i = 0; i < cells.length; i++) {
            hashes[i] = cells[i].hashCode();
        }
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> count(cells, 2000));
            threads[t].start();
        }
        for (int i = 0; i < 5; i++) {
            System.gc();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        int sum = 0;
        for (int i = 0; i < cells.length; i++) {
            sum += cells[i][0];
            if (cells[i].hashCode() != hashes[i]) {
                throw new AssertionError("the hash has changed");
            }
        }
        System.out.println(sum);
    }
}
