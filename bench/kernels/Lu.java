import java.util.Random;

/** LU factorisation with partial pivoting: one thread finds the pivot, all eliminate rows, with barriers between. */
public class Lu {
    public static void main(String[] arguments) throws InterruptedException {
        Team team = Team.of(arguments);
        int order = (int) Math.max(2, 2400 * Math.cbrt(Team.scaled(arguments, 100) / 100.0));
        double[][] matrix = new double[order][order];
        Random random = new Random(1325);
        for (double[] row : matrix) {
            for (int column = 0; column < order; column++) {
                row[column] = random.nextDouble() - 0.5;
            }
        }
        int[] pivots = new int[order];
        team.run(rank -> {
            for (int step = 0; step < order - 1; step++) {
                if (step % team.threads == rank) {
                    exchange(matrix, pivots, step);
                }
                team.meet();
                double[] top = matrix[step];
                for (int row = step + 1; row < order; row++) {
                    if (row % team.threads == rank) {
                        eliminate(top, matrix[row], step);
                    }
                }
                team.meet();
            }
        });
        double total = 0;
        for (int row = 0; row < order; row++) {
            total += Math.abs(matrix[row][row]) + pivots[row];
        }
        Team.tell(total);
    }

    private static void exchange(double[][] matrix, int[] pivots, int step) {
        int best = step;
        for (int row = step + 1; row < matrix.length; row++) {
            if (Math.abs(matrix[row][step]) > Math.abs(matrix[best][step])) {
                best = row;
            }
        }
        pivots[step] = best;
        double[] other = matrix[best];
        matrix[best] = matrix[step];
        matrix[step] = other;
    }

    private static void eliminate(double[] top, double[] row, int step) {
        double factor = row[step] / top[step];
        row[step] = factor;
        for (int column = step + 1; column < row.length; column++) {
            row[column] -= factor * top[column];
        }
    }
}
