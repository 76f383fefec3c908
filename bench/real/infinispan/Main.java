import jakarta.transaction.TransactionManager;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.cache.StorageType;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.context.Flag;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryCreated;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryModified;
import org.infinispan.notifications.cachelistener.event.CacheEntryEvent;
import org.infinispan.transaction.LockingMode;
import org.infinispan.transaction.TransactionMode;
import org.infinispan.transaction.lookup.EmbeddedTransactionManagerLookup;

/** Local caches that threads fill and change: plain ones, bounded ones, one outside the heap, entries that expire, asynchronous
 * calls, listeners, and transactions that wait for each other or fail and are tried again. */
public class Main {
    @Listener
    public static class Counter {
        final AtomicInteger seen = new AtomicInteger();

        @CacheEntryCreated
        @CacheEntryModified
        public void changed(CacheEntryEvent<?, ?> event) {
            if (!event.isPre()) {
                seen.incrementAndGet();
            }
        }
    }

    private static ConfigurationBuilder transactions(LockingMode mode) {
        ConfigurationBuilder builder = new ConfigurationBuilder();
        builder.transaction().transactionMode(TransactionMode.TRANSACTIONAL).lockingMode(mode)
                .transactionManagerLookup(new EmbeddedTransactionManagerLookup());
        builder.locking().lockAcquisitionTimeout(30, TimeUnit.SECONDS);
        return builder;
    }

    private static long fill(Cache<String, int[]> cache, int rank, int rounds) throws Exception {
        long sum = 0;
        List<CompletableFuture<int[]>> later = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            int number = round;
            String key = "k" + round % 60;
            // Nobody changes an array after it is in the cache.
            int[] there = cache.computeIfAbsent(key, none -> new int[] {none.length(), number % 60});
            sum += there[1];
            cache.put("own" + rank + "-" + round, new int[] {round, rank});
            int[] own = cache.get("own" + rank + "-" + round);
            sum += own == null ? round : own[0];
            later.add(cache.putAsync("later" + rank + "-" + round % 20, new int[] {round}));
            cache.put("short" + rank, new int[] {round}, 1, TimeUnit.MILLISECONDS);
            cache.getAdvancedCache().withFlags(Flag.IGNORE_RETURN_VALUES).remove("own" + rank + "-" + (round - 5));
            if (round % 50 == 0) {
                cache.merge("merged" + rank, new int[] {1}, (old, one) -> new int[] {old[0] + one[0]});
                sum += cache.entrySet().stream().filter(entry -> entry.getKey().startsWith("merged" + rank)).count();
            }
        }
        for (CompletableFuture<int[]> each : later) {
            each.get(60, TimeUnit.SECONDS);
        }
        return sum;
    }

    private static int transfer(AdvancedCache<String, Integer> cache, int rank, int rounds, boolean locks) throws Exception {
        TransactionManager manager = cache.getTransactionManager();
        int done = 0;
        for (int round = 0; round < rounds; round++) {
            int one = (rank + round) % 10;
            int two = (rank * 3 + round * 7 + 1) % 10;
            String from = "a" + Math.min(one, two);
            String to = "a" + Math.max(one, two);
            while (true) {
                manager.begin();
                try {
                    if (locks) {
                        cache.lock(from);
                        cache.lock(to);
                    }
                    cache.put(from, cache.get(from) - 1);
                    cache.put(to, cache.get(to) + 1);
                } catch (RuntimeException refused) {
                    manager.rollback();
                    continue;
                }
                try {
                    manager.commit();
                    done++;
                    break;
                } catch (jakarta.transaction.RollbackException refused) {
                    Thread.yield();
                }
            }
        }
        return done;
    }

    public static void main(String[] arguments) throws Exception {
        java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.OFF);
        int rounds = Crew.part(400);
        GlobalConfigurationBuilder global = new GlobalConfigurationBuilder().nonClusteredDefault();
        global.shutdown().hookBehavior(org.infinispan.configuration.global.ShutdownHookBehavior.DONT_REGISTER);
        try (DefaultCacheManager manager = new DefaultCacheManager(global.build())) {
            Map<String, ConfigurationBuilder> kinds = new HashMap<>();
            kinds.put("plain", new ConfigurationBuilder());
            kinds.put("simple", new ConfigurationBuilder());
            kinds.get("simple").simpleCache(true);
            kinds.put("bounded", new ConfigurationBuilder());
            kinds.get("bounded").memory().maxCount(5000).statistics().enable();
            kinds.get("bounded").expiration().wakeUpInterval(5, TimeUnit.MILLISECONDS).maxIdle(60, TimeUnit.SECONDS);
            kinds.put("outside", new ConfigurationBuilder());
            kinds.get("outside").memory().storage(StorageType.OFF_HEAP).maxCount(5000);
            for (String name : List.of("plain", "simple", "bounded", "outside")) {
                manager.defineConfiguration(name, kinds.get(name).build());
                Cache<String, int[]> cache = manager.getCache(name);
                Counter counter = new Counter();
                if (!name.equals("simple")) {
                    cache.addListener(counter);
                }
                System.out.println(name + " " + Crew.work(4, rank -> fill(cache, rank, rounds)));
                System.out.println(cache.get("k7")[1] + " " + cache.get("merged2")[0] + " " + (counter.seen.get() > 0));
                cache.stop();
            }
            for (LockingMode mode : LockingMode.values()) {
                ConfigurationBuilder builder = transactions(mode);
                manager.defineConfiguration(mode.name(), builder.build());
                Cache<String, Integer> cache = manager.getCache(mode.name());
                for (int account = 0; account < 10; account++) {
                    cache.put("a" + account, 100);
                }
                System.out.println(mode + " " + Crew.work(3,
                        rank -> transfer(cache.getAdvancedCache(), rank, Crew.part(200), mode == LockingMode.PESSIMISTIC)));
                int sum = 0;
                for (int account = 0; account < 10; account++) {
                    sum += cache.get("a" + account);
                }
                System.out.println(sum);
            }
        }
    }
}
