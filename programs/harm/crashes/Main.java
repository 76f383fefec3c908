import java.io.IOException;

/** A race, and then the JVM is killed or crashes: what was found before must not be lost. */
public class Main {
    static int raced;

    public static void main(String[] arguments) throws InterruptedException, IOException {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> raced++);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("raced");
        System.out.flush();
        new ProcessBuilder("kill", arguments[0], Long.toString(ProcessHandle.current().pid())).inheritIO().start();
        Thread.sleep(60_000);
    }
}
