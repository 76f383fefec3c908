import java.util.concurrent.CountedCompleter;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;

/** Tasks fill halves of an array and add them up: fork() and join(), invokeAll(), a completer; own and common pool. */
public class Main {
    static final class Fill extends RecursiveAction {
        private static final long serialVersionUID = 1;
        final transient int[] array;
        final int from;
        final int to;

        Fill(int[] array, int from, int to) {
            this.array = array;
            this.from = from;
            this.to = to;
        }

        @Override
        protected void compute() {
            if (to - from < 64) {
                for (int i = from; i < to; i++) {
                    array[i] = i;
                }
                return;
            }
            int middle = (from + to) / 2;
            invokeAll(new Fill(array, from, middle), new Fill(array, middle, to));
        }
    }

    static final class Sum extends RecursiveTask<int[]> {
        private static final long serialVersionUID = 1;
        final transient int[] array;
        final int from;
        final int to;

        Sum(int[] array, int from, int to) {
            this.array = array;
            this.from = from;
            this.to = to;
        }

        @Override
        protected int[] compute() {
            int[] sum = new int[1];
            if (to - from < 64) {
                for (int i = from; i < to; i++) {
                    sum[0] += array[i];
                }
                return sum;
            }
            int middle = (from + to) / 2;
            Sum left = new Sum(array, from, middle);
            left.fork();
            sum[0] = new Sum(array, middle, to).compute()[0];
            sum[0] += left.join()[0];
            return sum;
        }
    }

    static final class Complete extends CountedCompleter<Void> {
        private static final long serialVersionUID = 1;
        final transient int[] array;
        final int from;
        final int to;
        final Complete[] halves = new Complete[2];
        int sum;

        Complete(Complete parent, int[] array, int from, int to) {
            super(parent);
            this.array = array;
            this.from = from;
            this.to = to;
        }

        @Override
        public void compute() {
            if (to - from < 64) {
                for (int i = from; i < to; i++) {
                    sum += array[i];
                }
            } else {
                int middle = (from + to) / 2;
                halves[0] = new Complete(this, array, from, middle);
                halves[1] = new Complete(this, array, middle, to);
                setPendingCount(2);
                halves[0].fork();
                halves[1].fork();
            }
            tryComplete();
        }

        @Override
        public void onCompletion(CountedCompleter<?> caller) {
            for (Complete half : halves) {
                sum += half == null ? 0 : half.sum;
            }
        }
    }

    static int run(ForkJoinPool pool) {
        int[] array = new int[1000];
        pool.invoke(new Fill(array, 0, array.length));
        int sum = pool.invoke(new Sum(array, 0, array.length))[0];
        Complete complete = new Complete(null, array, 0, array.length);
        pool.submit(complete).join();
        return sum + complete.sum;
    }

    public static void main(String[] arguments) {
        ForkJoinPool pool = new ForkJoinPool(3);
        System.out.println(run(pool) + " " + run(ForkJoinPool.commonPool()));
        pool.shutdown();
    }
}
