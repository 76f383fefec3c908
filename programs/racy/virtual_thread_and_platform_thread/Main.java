/** A virtual thread's result is used before it was joined. */
public class Main {
    private static int result;

    static void work() {
        result = 7; // race: writes result
    }

    static int use() {
        return result; // race: reads result
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread worker = Thread.ofVirtual().name("worker").start(Main::work);
        int seen = use();
        worker.join();
        System.out.println(seen < 8);
    }
}
