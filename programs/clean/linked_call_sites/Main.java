import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** Lambdas and concatenations that several threads reach first: the JVM links them, with types that it keeps for all. */
public class Main {
    static final Map<Integer, String> MAP = new ConcurrentHashMap<>();

    static String work(int rank, int round) throws Throwable {
        Function<Integer, String> one = number -> "n" + number + rank;
        BiFunction<Integer, Long, String> two = (number, wide) -> number + "-" + wide + one.apply(round);
        Supplier<String> three = () -> two.apply(rank, 5L) + one + (char) ('a' + rank) + 1.5f;
        Runnable four = () -> MAP.computeIfAbsent(round, key -> two.apply(key, (long) key));
        four.run();
        MAP.computeIfPresent(round, (key, old) -> old + key);
        MethodType type = MethodType.methodType(String.class, int.class, long.class);
        Object found = MethodHandles.lookup().findStatic(Main.class, "join", type).invoke(rank, 7L);
        return three.get().substring(0, 3) + found;
    }

    static String join(int one, long two) {
        return one + "+" + two;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = new Thread[6];
        String[] made = new String[threads.length];
        for (int i = 0; i < threads.length; i++) {
            int rank = i;
            threads[i] = new Thread(() -> {
                try {
                    for (int round = 0; round < 20; round++) {
                        made[rank] = work(rank, round);
                    }
                } catch (Throwable thrown) {
                    throw new AssertionError(thrown);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(String.join(" ", made));
    }
}
