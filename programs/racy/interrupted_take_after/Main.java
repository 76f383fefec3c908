import java.util.concurrent.LinkedBlockingQueue;

/** What is written after the interrupt is not handed over by the exception that take() throws. */
public class Main {
    private static final LinkedBlockingQueue<Object> QUEUE = new LinkedBlockingQueue<>();
    private static int data;

    static void work() {
        try {
            QUEUE.take();
        } catch (InterruptedException expected) {
            data++; // race: reads writes data
        }
    }

    static void interrupt(Thread worker) {
        worker.interrupt();
        data = 5; // race: writes data
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread worker = new Thread(Main::work);
        worker.start();
        interrupt(worker);
        worker.join();
        System.out.println(data > 0);
    }
}
