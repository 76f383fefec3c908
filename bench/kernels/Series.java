/** Fourier coefficients of (x + 1)^x on [0, 2] by the trapezium rule: much arithmetic, few accesses. */
public class Series {
    private static final int INTERVALS = 1000;

    public static void main(String[] arguments) throws InterruptedException {
        Team team = Team.of(arguments);
        int coefficients = Team.scaled(arguments, 40_000);
        double[][] results = new double[2][coefficients];
        team.run(rank -> {
            int end = team.from(rank + 1, coefficients);
            for (int n = team.from(rank, coefficients); n < end; n++) {
                results[0][n] = integrate(n, 0);
                results[1][n] = integrate(n, Math.PI / 2);
            }
        });
        double total = 0;
        for (double[] kind : results) {
            for (double coefficient : kind) {
                total += Math.abs(coefficient);
            }
        }
        Team.tell(total);
    }

    private static double integrate(int n, double phase) {
        double width = 2.0 / INTERVALS;
        double sum = 0.5 * (value(0, n, phase) + value(2, n, phase));
        for (int step = 1; step < INTERVALS; step++) {
            sum += value(step * width, n, phase);
        }
        return sum * width;
    }

    private static double value(double x, int n, double phase) {
        return Math.pow(x + 1, x) * Math.cos(Math.PI * n * x - phase);
    }
}
