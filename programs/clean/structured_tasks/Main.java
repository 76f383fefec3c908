import java.util.concurrent.StructuredTaskScope;

/** fork() hands data to a subtask, join() its result back; a scoped value is seen by both. */
public class Main {
    private static final ScopedValue<int[]> SCOPED = ScopedValue.newInstance();
    private static int input;
    private static final int[] PARTS = new int[2];

    static int[] part(int index) {
        PARTS[index] = input + index + SCOPED.get()[0];
        int[] result = new int[1];
        result[0] = PARTS[index];
        return result;
    }

    static int run() throws InterruptedException {
        try (var scope = StructuredTaskScope.open()) {
            input = 5;
            var one = scope.fork(() -> part(0));
            var two = scope.fork(() -> part(1));
            scope.join();
            return one.get()[0] + two.get()[0] + PARTS[0] + PARTS[1];
        }
    }

    public static void main(String[] arguments) throws Exception {
        int[] scoped = new int[1];
        scoped[0] = 10;
        int sum = ScopedValue.where(SCOPED, scoped).call(Main::run);
        System.out.println(sum);
    }
}
