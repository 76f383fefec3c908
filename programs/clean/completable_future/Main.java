import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Stages hand their results on, whichever thread runs them; a thread completes a future by hand. */
public class Main {
    static final class Box {
        int value;
    }

    static Box box(int value) {
        Box box = new Box();
        box.value = value;
        return box;
    }

    static Box add(Box one, Box two) {
        one.value += two.value;
        return one;
    }

    static Box twice(Box box) {
        box.value *= 2;
        return box;
    }

    static int run(ExecutorService pool) {
        CompletableFuture<Box> one = CompletableFuture.supplyAsync(() -> box(1), pool).thenApplyAsync(Main::twice);
        CompletableFuture<Box> two = CompletableFuture.supplyAsync(() -> box(2)).thenApply(Main::twice);
        CompletableFuture<Box> three = new CompletableFuture<>();
        new Thread(() -> three.complete(box(3))).start();
        CompletableFuture<Box> sum = one.thenCombine(two, Main::add).thenCombineAsync(three, Main::add, pool);
        CompletableFuture<Box> caught = CompletableFuture.<Box>supplyAsync(() -> {
            throw new IllegalStateException();
        }).exceptionally(thrown -> box(4));
        CompletableFuture.allOf(sum, caught).join();
        return sum.getNow(null).value + caught.thenCompose(box -> CompletableFuture.completedStage(box)).join().value;
    }

    public static void main(String[] arguments) {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        int sum = 0;
        for (int i = 0; i < 20; i++) {
            sum += run(pool);
        }
        pool.shutdown();
        System.out.println(sum);
    }
}
