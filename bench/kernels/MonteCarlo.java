import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random walks of a price: tasks from a shared list, each with objects of its own, results into a locked list. */
public class MonteCarlo {
    private static final int DAYS = 1000;

    private record Task(int number, long seed) {}

    private static final class Path {
        private final double[] prices = new double[DAYS];
        private double drift;
        private double volatility;

        void walk(Random random) {
            double logarithm = 0;
            for (int day = 0; day < DAYS; day++) {
                logarithm += 3e-4 + 0.01 * random.nextGaussian();
                prices[day] = 100 * Math.exp(logarithm);
            }
        }

        void estimate() {
            double sum = 0;
            double squares = 0;
            for (int day = 1; day < DAYS; day++) {
                double growth = Math.log(prices[day] / prices[day - 1]);
                sum += growth;
                squares += growth * growth;
            }
            drift = sum / (DAYS - 1);
            volatility = Math.sqrt(squares / (DAYS - 1) - drift * drift);
        }
    }

    private static final class Result {
        final int number;
        double last;
        double drift;
        double volatility;

        Result(int number) {
            this.number = number;
        }
    }

    private static final List<Task> TASKS = new ArrayList<>();
    private static final List<Result> RESULTS = new ArrayList<>();

    private static Task take() {
        synchronized (TASKS) {
            return TASKS.isEmpty() ? null : TASKS.remove(TASKS.size() - 1);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Team team = Team.of(arguments);
        int tasks = Team.scaled(arguments, 50_000);
        for (int number = 0; number < tasks; number++) {
            TASKS.add(new Task(number, number * 11L));
        }
        team.run(rank -> {
            for (Task task = take(); task != null; task = take()) {
                Path path = new Path();
                path.walk(new Random(task.seed()));
                path.estimate();
                Result result = new Result(task.number());
                result.last = path.prices[DAYS - 1];
                result.drift = path.drift;
                result.volatility = path.volatility;
                synchronized (RESULTS) {
                    RESULTS.add(result);
                }
            }
        });
        RESULTS.sort((one, other) -> Integer.compare(one.number, other.number));
        double total = 0;
        for (Result result : RESULTS) {
            total += result.last + result.drift + result.volatility;
        }
        Team.tell(total);
    }
}
