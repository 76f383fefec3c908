import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;

/** Two tasks pass a barrier and count: what the JDK looks up when it first sets a future is no message between them. */
public class Main {
    private static int count;

    static int count(CyclicBarrier barrier) throws Exception {
        barrier.await();
        return count++; // race: reads writes count
    }

    public static void main(String[] arguments) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        Callable<Integer> task = () -> count(barrier);
        FutureTask<Integer> one = new FutureTask<>(task);
        FutureTask<Integer> other = new FutureTask<>(task);
        new Thread(one).start();
        new Thread(other).start();
        System.out.println(one.get() + other.get() < 2);
    }
}
