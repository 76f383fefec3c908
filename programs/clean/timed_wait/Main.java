/** Waits that end by time, in all their forms, with the monitor held several times over. */
public class Main {
    private int value;
    private boolean done;

    synchronized void waitInside() throws InterruptedException {
        synchronized (this) {
            while (!done) {
                value++;
                wait(1);
                value++;
                this.wait(0, 500_000);
                value++;
            }
        }
        value++;
    }

    synchronized void add() {
        value++;
    }

    synchronized void finish() {
        done = true;
        notify();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread waiter = new Thread(() -> {
            try {
                main.waitInside();
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        });
        waiter.start();
        for (int i = 0; i < 20; i++) {
            main.add();
            Thread.sleep(1);
        }
        main.finish();
        waiter.join();
        System.out.println(main.value > 20);
    }
}
