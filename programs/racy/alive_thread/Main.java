/** A thread that isAlive() found alive is not ordered before anything. */
public class Main {
    private volatile boolean released;
    private int value;

    void work() {
        value = 1; // race: writes value
        while (!released) {
            Thread.onSpinWait();
        }
    }

    void after() {
        value = 2; // race: writes value
        released = true;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread worker = new Thread(main::work);
        worker.start();
        System.out.println(worker.isAlive());
        main.after();
        worker.join();
        System.out.println(main.value > 0);
    }
}
