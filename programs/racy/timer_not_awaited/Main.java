import java.util.Timer;
import java.util.TimerTask;

/** The result is used without a word from the timer's task. */
public class Main {
    private static volatile boolean done;
    private static int result;

    static void work() {
        result = 7; // race: writes result
        done = true;
    }

    static int use() {
        return result; // race: reads result
    }

    public static void main(String[] arguments) {
        Timer timer = new Timer("timer");
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                work();
            }
        }, 0);
        int seen = use();
        while (!done) {
            Thread.onSpinWait();
        }
        timer.cancel();
        System.out.println(seen < 8);
    }
}
