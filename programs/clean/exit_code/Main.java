/** System.exit from a thread, while others run. */
public class Main {
    private int value;

    synchronized void add() {
        value++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread[] workers = new Thread[2];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Thread(() -> {
                for (;;) {
                    main.add();
                }
            });
            workers[i].start();
        }
        Thread.sleep(50);
        Thread ender = new Thread(() -> System.exit(42));
        ender.start();
        ender.join();
    }
}
