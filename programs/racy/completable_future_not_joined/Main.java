import java.util.concurrent.CompletableFuture;

/** The result is used before the future that tells of it. */
public class Main {
    private static int result;

    static void work() {
        result = 7; // race: writes result
    }

    static int use() {
        return result; // race: reads result
    }

    public static void main(String[] arguments) {
        CompletableFuture<Void> done = CompletableFuture.runAsync(Main::work);
        int seen = use();
        done.join();
        System.out.println(seen < 8);
    }
}
