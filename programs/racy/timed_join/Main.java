/** A join whose time is over says nothing of the thread: it still waits for its monitor. */
public class Main {
    private final Object lock = new Object();
    private boolean released;
    private int value;

    void work() {
        value = 1; // race: writes value
        synchronized (lock) {
            while (!released) {
                try {
                    lock.wait();
                } catch (InterruptedException unexpected) {
                    throw new AssertionError(unexpected);
                }
            }
        }
    }

    void after() {
        value = 2; // race: writes value
        synchronized (lock) {
            released = true;
            lock.notifyAll();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread worker = new Thread(main::work);
        worker.start();
        worker.join(20);
        worker.join(20, 5);
        main.after();
        worker.join();
        System.out.println(main.value > 0);
    }
}
