import java.util.Random;

/** Successive over-relaxation of a grid, red and black points in turn, with a barrier between. */
public class Sor {
    private static final double OMEGA = 1.25;

    public static void main(String[] arguments) throws InterruptedException {
        Team team = Team.of(arguments);
        int rounds = Team.scaled(arguments, 1500);
        int side = 1000;
        double[][] grid = new double[side][side];
        Random random = new Random(10101010);
        for (double[] row : grid) {
            for (int column = 0; column < side; column++) {
                row[column] = random.nextDouble() * 1e-6;
            }
        }
        team.run(rank -> {
            int first = Math.max(1, team.from(rank, side));
            int end = Math.min(side - 1, team.from(rank + 1, side));
            for (int half = 0; half < 2 * rounds; half++) {
                for (int row = first; row < end; row++) {
                    relax(grid[row - 1], grid[row], grid[row + 1], 1 + (row + half) % 2);
                }
                team.meet();
            }
        });
        double total = 0;
        for (double[] row : grid) {
            for (double point : row) {
                total += point;
            }
        }
        Team.tell(total);
    }

    private static void relax(double[] above, double[] row, double[] below, int start) {
        for (int column = start; column < row.length - 1; column += 2) {
            double around = above[column] + below[column] + row[column - 1] + row[column + 1];
            row[column] = OMEGA * 0.25 * around + (1 - OMEGA) * row[column];
        }
    }
}
