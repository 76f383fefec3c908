import java.io.IOException;

/** waitFor() waits for the process, not for what onExit() calls then. */
public class Main {
    private static volatile boolean called;
    private static int result;

    static void ended() {
        result = 7; // race: writes result
        called = true;
    }

    static int use(Process process) throws InterruptedException {
        process.waitFor();
        return result; // race: reads result
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", "read line").start();
        process.onExit().thenRun(Main::ended);
        process.getOutputStream().close();
        int seen = use(process);
        while (!called) {
            Thread.onSpinWait();
        }
        System.out.println(seen < 8);
    }
}
