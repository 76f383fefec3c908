import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** submit() hands the task's data over, get() its result, or what it threw. */
public class Main {
    static final class Job implements Callable<Job> {
        int input;
        int output;

        @Override
        public Job call() {
            output = 2 * input;
            return this;
        }
    }

    static final class Failure extends Exception {
        private static final long serialVersionUID = 1;
        int code;
    }

    static int fail() throws Failure {
        Failure failure = new Failure();
        failure.code = 5;
        throw failure;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        int sum = 0;
        for (int i = 0; i < 50; i++) {
            Job one = new Job();
            one.input = i;
            Job two = new Job();
            two.input = i;
            Future<Job> first = pool.submit(one);
            Future<?> second = pool.submit(two::call);
            second.get();
            sum += first.get().output + two.output;
        }
        try {
            pool.submit(Main::fail).get();
        } catch (ExecutionException failed) {
            sum += ((Failure) failed.getCause()).code;
        }
        pool.shutdown();
        System.out.println(sum);
    }
}
