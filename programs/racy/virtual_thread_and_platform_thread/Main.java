/** A virtual thread's result is used before it was joined. */
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

    public static void main(String[] arguments) throws InterruptedException {
        Thread worker = Thread.ofVirtual().name("worker").start(Main::work);
        int seen = use();
        while (!done) {
            Thread.onSpinWait();
        }
        worker.join();
        System.out.println(seen < 8);
    }
}
