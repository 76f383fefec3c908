import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Hidden methods hand over through objects of the JDK, and the program looks at these: the JDK reads a volatile field for it. */
public class Main {
    static int x;
    static int y;

    static void give(CompletableFuture<String> future) {
        x = 1;
        Library.complete(future);
    }

    static void take(CompletableFuture<String> future) {
        while (!future.isDone()) {
            Thread.onSpinWait();
        }
        x = 2;
    }

    static void raise(AtomicBoolean flag) {
        y = 1;
        Library.raise(flag);
    }

    static void await(AtomicBoolean flag) {
        while (!flag.get()) {
            Thread.onSpinWait();
        }
        y = 2;
    }

    public static void main(String[] arguments) throws Exception {
        CompletableFuture<String> future = new CompletableFuture<>();
        AtomicBoolean flag = new AtomicBoolean();
        Thread[] threads = {
            new Thread(() -> give(future)), new Thread(() -> take(future)), new Thread(() -> raise(flag)), new Thread(() -> await(flag)),
        };
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(x + y);
    }
}

/** Hands over, and nobody sees it. */
class Library {
    static void complete(CompletableFuture<String> future) {
        future.complete("done");
    }

    static void raise(AtomicBoolean flag) {
        flag.set(true);
    }
}
