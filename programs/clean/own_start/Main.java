/** A thread class with a start method of its own, and one that is never started. */
public class Main extends Thread {
    private String task = "none";

    @Override
    public synchronized void start() {
        task = "work";
        super.start();
    }

    @Override
    public void run() {
        System.out.println(task);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main idle = new Main();
        Main main = new Main();
        main.start();
        main.join();
        idle.join();
        main.task = "over";
        try {
            main.start();
        } catch (IllegalThreadStateException expected) {
            System.out.println(main.task);
        }
    }
}
