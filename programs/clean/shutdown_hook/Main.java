/** A hook sees what the thread that asked for the exit has done, and what that one knew of others. */
public class Main {
    private static int byMain;
    private static int byWorker;

    static void work() {
        byWorker = 2;
    }

    static void hook() {
        System.out.println(byMain + byWorker);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(Main::hook));
        Thread worker = new Thread(Main::work);
        worker.start();
        worker.join();
        byMain = 1;
        System.exit(0);
    }
}
