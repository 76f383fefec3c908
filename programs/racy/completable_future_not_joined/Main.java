import java.util.concurrent.CompletableFuture;

/** The result is used without asking the future that tells of it. */
public class Main {
    private static volatile boolean done;
    private static int result;

    static void work() {
        result = 7; // race: writes result
        done = true;
    }

    static int use() {
        return result; // race: reads result
    }

    public static void main(String[] arguments) {
        CompletableFuture.runAsync(Main::work);
        int seen = use();
        while (!done) {
            Thread.onSpinWait();
        }
        System.out.println(seen < 8);
    }
}
