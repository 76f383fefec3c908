/** A thread that is asked for its state while another one starts it is watched all the same. */
public class Main {
    private static final int ROUNDS = 30;
    private static int value;
    private static int others;
    private static volatile boolean isAsked;

    /** It does not end before it was asked, since its end would come before what the other one does. */
    static void work() {
        value++; // race: reads value writes value
        while (!isAsked) {
            Thread.onSpinWait();
        }
    }

    static void other() {
        isAsked = true;
        others += value; // race: reads value
    }

    public static void main(String[] arguments) throws InterruptedException {
        for (int i = 0; i < ROUNDS; i++) {
            isAsked = false;
            Thread works = new Thread(Main::work);
            Thread starts = new Thread(works::start);
            Thread asks = new Thread(() -> {
                while (works.getState() == Thread.State.NEW) {
                    works.isAlive();
                }
                other();
            });
            asks.start();
            starts.start();
            for (Thread thread : new Thread[] {asks, starts, works}) {
                thread.join();
            }
        }
        System.out.println(value);
    }
}
