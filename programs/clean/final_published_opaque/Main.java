import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Immutable objects published by opaque accesses, which race with nothing and order nothing: what their final fields reach is
 * ordered by the ends of their constructors (JLS 17.5.1).
 */
public class Main {
    interface Step<T> {
        T run() throws Exception;
    }

    /** What it holds is written before its constructor ends, in one way or another. */
    static final class Holder {
        final List<int[]> list;

        Holder(List<int[]> list) {
            this.list = list;
        }

        int sum() {
            int sum = 0;
            for (int[] each : list) {
                sum += each[0];
            }
            return sum;
        }
    }

    static final class Builder {
        private List<int[]> list = new ArrayList<>();

        Builder add(int value) {
            list.add(new int[] {value});
            return this;
        }

        /** The list of the next object is made behind the constructor's call. */
        Holder build() {
            Holder made = new Holder(list);
            list = new ArrayList<>();
            return made;
        }
    }

    static final class Task implements Runnable {
        int value;

        @Override
        public void run() {
            if (value != 3) {
                throw new AssertionError();
            }
        }
    }

    static <T, R> void pass(Step<T> make, java.util.function.Function<T, R> use) throws InterruptedException {
        AtomicReference<T> place = new AtomicReference<>();
        AtomicReference<R> result = new AtomicReference<>();
        Thread giver = new Thread(() -> {
            try {
                place.setOpaque(make.run());
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        });
        Thread taker = new Thread(() -> {
            T taken;
            while ((taken = place.getOpaque()) == null) {
                Thread.yield();
            }
            result.set(use.apply(taken));
        });
        taker.start();
        giver.start();
        giver.join();
        taker.join();
        System.out.println(result.get());
    }

    static Holder straight() {
        List<int[]> list = new ArrayList<>();
        list.add(new int[] {2});
        return new Holder(list);
    }

    /** The list is filled behind the constructor's call, in earlier rounds. */
    static Holder inBatches() {
        Holder made = null;
        List<int[]> batch = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            if (batch.size() == 5) {
                made = new Holder(batch);
                batch = new ArrayList<>();
            }
            batch.add(new int[] {1});
        }
        return made;
    }

    static Holder byCommands() {
        Holder made = null;
        List<int[]> list = new ArrayList<>();
        for (char command : "aab".toCharArray()) {
            switch (command) {
                case 'b':
                    made = new Holder(list);
                    break;
                default:
                    list.add(new int[] {2});
            }
        }
        return made;
    }

    static Holder byBuilder() {
        Builder builder = new Builder();
        Holder made = null;
        for (int i = 0; i < 3; i++) {
            made = builder.add(i).add(2).build();
        }
        return made;
    }

    /** Another thread fills the list and hands it over. */
    static Holder byWorker(ExecutorService worker) throws Exception {
        return new Holder(worker.submit(() -> {
            List<int[]> filled = new ArrayList<>();
            filled.add(new int[] {4});
            return filled;
        }).get());
    }

    static Set<String> view() {
        Map<String, String> map = new HashMap<>();
        map.put("a", "b");
        return map.keySet();
    }

    static Callable<Object> callable() {
        Task task = new Task();
        task.value = 3;
        return Executors.callable(task);
    }

    static Object called(Callable<Object> callable) {
        try {
            return callable.call();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        ExecutorService worker = Executors.newSingleThreadExecutor();
        pass(Main::straight, Holder::sum);
        pass(Main::inBatches, Holder::sum);
        pass(Main::byCommands, Holder::sum);
        pass(Main::byBuilder, Holder::sum);
        pass(() -> byWorker(worker), Holder::sum);
        pass(() -> Arrays.asList("a", "b"), list -> list.get(1));
        pass(Main::view, view -> view.contains("a"));
        pass(Main::callable, Main::called);
        worker.shutdown();
    }
}
