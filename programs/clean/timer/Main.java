import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

/** A timer's tasks see what came before they were scheduled, and come one after another. */
public class Main {
    private static final CountDownLatch RUNS = new CountDownLatch(5);
    private static int input;
    private static int count;
    private static int result;

    public static void main(String[] arguments) throws InterruptedException {
        Timer timer = new Timer("timer");
        input = 5;
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                result = input + count;
            }
        }, 0);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                if (++count == 5) {
                    cancel();
                    timer.cancel();
                }
                RUNS.countDown();
            }
        }, 2, 1);
        RUNS.await();
        System.out.println(count + " " + result);
    }
}
