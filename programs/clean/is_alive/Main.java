/** A thread whose end is seen by polling, and a request that is seen by the interrupt flag. */
public class Main {
    private int result;
    private String order = "none";

    public static void main(String[] arguments) {
        Main main = new Main();
        Thread worker = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            main.result = main.order.length();
        });
        worker.start();
        main.order = "answer";
        worker.interrupt();
        while (worker.isAlive()) {
            Thread.onSpinWait();
        }
        System.out.println(main.result);
    }
}
