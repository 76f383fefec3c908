import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Joiner;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** The end of subtasks, and values that are set once, hand data over by themselves: nobody asks for a result. */
public class Main {
    /** What one thread writes and another reads. */
    static final class Hand {
        int data;
    }

    static int sum;

    static void join(Joiner<Object, ?> joiner, ThreadFactory factory) throws Exception {
        Hand[] hands = {new Hand(), new Hand(), new Hand()};
        try (var scope = StructuredTaskScope.open(joiner, with -> with.withThreadFactory(factory))) {
            for (Hand hand : hands) {
                scope.fork(() -> {
                    hand.data = 1;
                });
            }
            scope.join();
            for (Hand hand : hands) {
                sum += hand.data;
            }
        }
    }

    /** What a subtask did that failed is seen too. */
    static void failed() throws Exception {
        Hand hand = new Hand();
        try (var scope = StructuredTaskScope.open(Joiner.<Object>awaitAllSuccessfulOrThrow())) {
            scope.fork(() -> {
                hand.data = 1;
                throw new IllegalStateException();
            });
            scope.join();
        } catch (StructuredTaskScope.FailedException expected) {
            sum += hand.data;
        }
    }

    /** One wins; close waits for the others. */
    static void first() throws Exception {
        Hand one = new Hand();
        Hand other = new Hand();
        try (var scope = StructuredTaskScope.open(Joiner.<Object>anySuccessfulResultOrThrow(),
                with -> with.withTimeout(Duration.ofSeconds(60)))) {
            scope.fork(() -> {
                one.data = 1;
                return "";
            });
            scope.fork(() -> {
                other.data = 1;
                Thread.sleep(60_000);
                return "";
            });
            scope.join();
        }
        // It may have been cancelled before it began.
        sum += one.data;
        int seen = other.data;
    }

    static void nested() throws Exception {
        Hand hand = new Hand();
        try (var scope = StructuredTaskScope.open()) {
            scope.fork(() -> {
                try (var inner = StructuredTaskScope.open()) {
                    inner.fork(() -> {
                        hand.data = 1;
                    });
                    inner.join();
                    hand.data++;
                }
                return null;
            });
            scope.join();
            sum += hand.data;
        }
    }

    static void executor() {
        Hand[] hands = {new Hand(), new Hand(), new Hand()};
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Hand hand : hands) {
                executor.execute(() -> {
                    hand.data = 1;
                });
            }
        }
        for (Hand hand : hands) {
            sum += hand.data;
        }
    }

    static void together(Runnable work) throws InterruptedException {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = i == 0 ? Thread.ofVirtual().unstarted(work) : new Thread(work);
        }
        for (Thread thread : threads) {
            thread.start();
        }
        work.run();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static Hand made() {
        Hand hand = new Hand();
        hand.data = 1;
        return hand;
    }

    static void use(Hand hand) {
        if (hand.data != 1) {
            throw new AssertionError();
        }
    }

    static void stableValues() throws InterruptedException {
        StableValue<Hand> value = StableValue.of();
        together(() -> use(value.orElseSet(Main::made)));
        StableValue<Hand> tried = StableValue.of();
        together(() -> {
            tried.trySet(made());
            use(tried.orElseThrow());
        });
        StableValue<Hand> waited = StableValue.of();
        Thread setter = new Thread(() -> waited.setOrThrow(made()));
        setter.start();
        while (!waited.isSet()) {
            Thread.onSpinWait();
        }
        use(waited.orElse(null));
        setter.join();
        Supplier<Hand> supplier = StableValue.supplier(Main::made);
        together(() -> use(supplier.get()));
        IntFunction<Hand> numbered = StableValue.intFunction(2, index -> made());
        together(() -> use(numbered.apply(1)));
        Function<String, Hand> named = StableValue.function(Set.of("a"), name -> made());
        together(() -> use(named.apply("a")));
        List<Hand> list = StableValue.list(2, index -> made());
        together(() -> use(list.get(1)));
        Map<String, Hand> map = StableValue.map(Set.of("a"), name -> made());
        together(() -> use(map.get("a")));
    }

    public static void main(String[] arguments) throws Exception {
        join(Joiner.awaitAll(), Thread.ofVirtual().factory());
        join(Joiner.awaitAll(), Thread.ofPlatform().factory());
        join(Joiner.awaitAllSuccessfulOrThrow(), Thread.ofVirtual().factory());
        join(Joiner.allSuccessfulOrThrow(), Thread.ofVirtual().factory());
        failed();
        first();
        nested();
        executor();
        stableValues();
        System.out.println(sum);
    }
}
