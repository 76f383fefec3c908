/** The parent writes after it has started the child, the child reads. */
public class Main extends Thread {
    private String task;

    @Override
    public void run() {
        if ("none".equals(task)) { // race: reads task
            throw new AssertionError();
        }
    }

    void assign() {
        task = "work"; // race: writes task
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main worker = new Main();
        worker.start();
        worker.assign();
        worker.join();
        System.out.println("worked");
    }
}
