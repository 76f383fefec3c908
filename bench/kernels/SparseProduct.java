import java.util.Random;

/** A sparse matrix in rows, multiplied with a vector again and again; each thread has its rows. */
public class SparseProduct {
    public static void main(String[] arguments) throws InterruptedException {
        Team team = Team.of(arguments);
        int rounds = Team.scaled(arguments, 2000);
        int rows = 100_000;
        int filled = 5;
        int[] starts = new int[rows + 1];
        int[] columns = new int[rows * filled];
        double[] values = new double[rows * filled];
        double[] vector = new double[rows];
        double[] product = new double[rows];
        Random random = new Random(10101010);
        for (int row = 0; row < rows; row++) {
            vector[row] = random.nextDouble() * 1e-6;
            starts[row + 1] = starts[row] + filled;
            for (int entry = starts[row]; entry < starts[row + 1]; entry++) {
                columns[entry] = random.nextInt(rows);
                values[entry] = random.nextDouble();
            }
        }
        team.run(rank -> {
            int end = team.from(rank + 1, rows);
            for (int round = 0; round < rounds; round++) {
                for (int row = team.from(rank, rows); row < end; row++) {
                    double sum = 0;
                    for (int entry = starts[row]; entry < starts[row + 1]; entry++) {
                        sum += values[entry] * vector[columns[entry]];
                    }
                    product[row] += sum;
                }
            }
        });
        double total = 0;
        for (double element : product) {
            total += element;
        }
        Team.tell(total);
    }
}
