/** What is written after an interrupt is not handed over by it. */
public class Main {
    private static int value;

    static void work() {
        while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        value = 1; // race: writes value
    }

    static void interrupt(Thread worker) {
        worker.interrupt();
        value = 2; // race: writes value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread worker = new Thread(Main::work);
        worker.start();
        interrupt(worker);
        worker.join();
        System.out.println(value > 0);
    }
}
