/** The task is given after the group was interrupted. */
public class Main {
    private static int task;

    static void work() {
        while (!Thread.interrupted()) {
            Thread.onSpinWait();
        }
        task++; // race: reads writes task
    }

    static void assign(ThreadGroup group) {
        group.interrupt();
        task = 5; // race: writes task
    }

    public static void main(String[] arguments) throws InterruptedException {
        ThreadGroup group = new ThreadGroup("group");
        Thread worker = new Thread(group, Main::work, "worker");
        worker.start();
        assign(group);
        worker.join();
        System.out.println(task > 0);
    }
}
