import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/** Caches of many kinds that threads read, fill, change and empty. */
public class Main {
    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        // Late, so that the buffers of writes grow.
        Executor executor = command -> pool.execute(() -> {
            LockSupport.parkNanos(2_000_000);
            command.run();
        });
        LoadingCache<Integer, String> sized = Caffeine.newBuilder().maximumSize(50).recordStats().executor(executor)
                .build(key -> "value" + key);
        LoadingCache<Integer, String> timed = Caffeine.newBuilder().expireAfterWrite(Duration.ofSeconds(30))
                .refreshAfterWrite(Duration.ofMillis(1)).executor(executor).build(key -> "value" + key);
        LoadingCache<Integer, String> weak = Caffeine.newBuilder().weakKeys().softValues().maximumWeight(1000)
                .weigher((Integer key, String value) -> value.length()).executor(executor).build(key -> "value" + key);
        AsyncLoadingCache<Integer, String> later =
                Caffeine.newBuilder().expireAfterAccess(Duration.ofSeconds(30)).maximumSize(50).executor(executor)
                        .buildAsync(key -> "value" + key);
        System.out.println(Crew.work(4, rank -> {
            long sum = 0;
            for (int number = 0; number < 800; number++) {
                Integer key = number * 7 % 100;
                sum += sized.get(key).length() + timed.get(key).length() + weak.get(key).length();
                sum += later.get(key).get().length();
                sized.put(1000 + number, "value");
                if (number % 10 == 0) {
                    sized.invalidate(key);
                    timed.put(key, "value" + key);
                }
                if (number % 100 == 0) {
                    sized.cleanUp();
                }
            }
            return sum;
        }));
        pool.shutdown();
        System.out.println(pool.awaitTermination(60, java.util.concurrent.TimeUnit.SECONDS));
    }
}
