import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Joiner;

/** A subtask's result is used before join(). */
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

    public static void main(String[] arguments) throws InterruptedException {
        int seen;
        var factory = Thread.ofVirtual().name("task").factory();
        try (var scope = StructuredTaskScope.open(Joiner.awaitAll(), with -> with.withThreadFactory(factory))) {
            scope.fork(Main::work);
            seen = use();
            while (!done) {
                Thread.onSpinWait();
            }
            scope.join();
        }
        System.out.println(seen < 8);
    }
}
