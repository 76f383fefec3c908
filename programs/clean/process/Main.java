import java.util.concurrent.CompletableFuture;

/** What onExit() calls sees what came before it was asked for; its future hands the result over. */
public class Main {
    private static int before;
    private static int sum;

    static void ended(Process process) {
        sum = before + process.exitValue();
    }

    static void waitFor(Process process, int[] code) {
        try {
            code[0] = process.waitFor();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "read line; exit 3").start();
        before = 4;
        CompletableFuture<Void> ended = process.onExit().thenAccept(Main::ended);
        int[] code = new int[1];
        Thread waiter = new Thread(() -> waitFor(process, code));
        waiter.start();
        process.getOutputStream().close();
        ended.get();
        waiter.join();
        System.out.println(sum + code[0]);
    }
}
