/** A wait that an interrupt ends has its monitor again, and what the interrupter did came before. */
public class Main {
    private int value;
    private String message = "";
    private boolean waits;

    synchronized void await() {
        waits = true;
        notifyAll();
        try {
            for (;;) {
                wait();
            }
        } catch (InterruptedException expected) {
            value++;
            message += "!";
        }
    }

    synchronized void awaitWaiter() throws InterruptedException {
        while (!waits) {
            wait();
        }
        value++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread waiter = new Thread(main::await);
        waiter.start();
        main.awaitWaiter();
        main.message = "interrupted";
        waiter.interrupt();
        waiter.join();
        System.out.println(main.message + main.value);
    }
}
