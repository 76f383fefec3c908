/** A group interrupts its threads, and takes what they throw. */
public class Main extends ThreadGroup {
    private int task;
    private int result;
    private int code;

    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;
        int code;
    }

    Main() {
        super("group");
    }

    void work() {
        while (!Thread.interrupted()) {
            Thread.onSpinWait();
        }
        result = 2 * task;
        Failure failure = new Failure();
        failure.code = 3;
        throw failure;
    }

    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {
        code = ((Failure) thrown).code;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main group = new Main();
        Thread worker = new Thread(group, group::work, "worker");
        worker.start();
        group.task = 5;
        group.interrupt();
        worker.join();
        System.out.println(group.result + group.code);
    }
}
