import java.util.concurrent.CountDownLatch;

/** The worker counts down before it has written its result. */
public class Main {
    private static final CountDownLatch DONE = new CountDownLatch(1);
    private static int result;

    static void work() {
        DONE.countDown();
        result = 7; // race: writes result
    }

    static int use() throws InterruptedException {
        DONE.await();
        return result; // race: reads result
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread worker = new Thread(Main::work);
        worker.start();
        int seen = use();
        worker.join();
        System.out.println(seen < 8);
    }
}
