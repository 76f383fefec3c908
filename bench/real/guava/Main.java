import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.base.Suppliers;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import com.google.common.collect.ConcurrentHashMultiset;
import com.google.common.collect.ImmutableBiMap;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Interners;
import com.google.common.collect.Range;
import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import com.google.common.hash.Hashing;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.ListeningExecutorService;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.common.util.concurrent.RateLimiter;
import com.google.common.util.concurrent.Striped;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Immutable collections with their lazy views, caches, futures, an event bus, striped locks, all shared. */
public class Main {
    public static class Listener {
        private final AtomicInteger heard = new AtomicInteger();

        @Subscribe
        public void hear(String text) {
            heard.incrementAndGet();
        }
    }

    public static void main(String[] arguments) throws Exception {
        ImmutableMap<String, Integer> map = ImmutableMap.of("a", 1, "b", 2, "c", 3);
        ImmutableSortedMap<String, Integer> sorted = ImmutableSortedMap.copyOf(map);
        ImmutableBiMap<String, Integer> both = ImmutableBiMap.copyOf(map);
        ImmutableListMultimap<Integer, String> many = map.asMultimap().inverse().entries().stream().collect(
                ImmutableListMultimap.toImmutableListMultimap(e -> e.getKey() % 2, e -> e.getValue()));
        ImmutableSet<Range<Integer>> ranges = ImmutableSet.of(Range.closed(1, 3), Range.open(5, 9));
        LoadingCache<Integer, String> cache = CacheBuilder.newBuilder().maximumSize(20).recordStats()
                .expireAfterAccess(java.time.Duration.ofMinutes(1)).weakValues().build(new CacheLoader<>() {
                    @Override
                    public String load(Integer key) {
                        return "value" + key;
                    }
                });
        EventBus bus = new EventBus();
        Listener listener = new Listener();
        bus.register(listener);
        Striped<java.util.concurrent.locks.Lock> stripes = Striped.lazyWeakLock(8);
        int[] guarded = new int[8];
        ConcurrentHashMultiset<String> counts = ConcurrentHashMultiset.create();
        com.google.common.base.Supplier<List<Integer>> once = Suppliers.memoize(() -> new ArrayList<>(map.values()));
        com.google.common.collect.Interner<String> interner = Interners.newWeakInterner();
        RateLimiter limiter = RateLimiter.create(1e6);
        ListeningExecutorService executor = MoreExecutors.listeningDecorator(Executors.newFixedThreadPool(3));
        System.out.println(Crew.work(4, rank -> {
            long sum = 0;
            for (int number = 0; number < Crew.part(200); number++) {
                sum += map.keySet().size() + map.entrySet().hashCode() + map.values().size() + map.hashCode();
                sum += sorted.headMap("c").size() + sorted.descendingMap().firstKey().length() + sorted.keySet().hashCode();
                sum += both.inverse().get(2).length() + many.inverse().size() + many.keySet().size() + many.entries().size();
                sum += ranges.hashCode() + ranges.asList().size() + once.get().size();
                sum += cache.get(number % 40).length() + interner.intern("text" + number % 10).length();
                sum += Hashing.murmur3_128().hashString("h" + number, StandardCharsets.UTF_8).asInt();
                bus.post("event");
                counts.add("k" + number % 7);
                limiter.acquire();
                java.util.concurrent.locks.Lock lock = stripes.get(number % 8);
                lock.lock();
                try {
                    guarded[number % 8]++;
                } finally {
                    lock.unlock();
                }
                sum += Splitter.on(',').splitToList(Joiner.on(',').join(map.keySet())).size();
            }
            List<ListenableFuture<Integer>> futures = new ArrayList<>();
            for (int number = 0; number < Crew.part(30); number++) {
                int mine = number;
                ListenableFuture<Integer> future = executor.submit(() -> mine * 2);
                futures.add(Futures.transform(future, result -> result + rank, executor));
            }
            for (int result : Futures.allAsList(futures).get()) {
                sum += result;
            }
            return sum;
        }));
        executor.shutdown();
        System.out.println(listener.heard + " " + counts.size() + " " + java.util.Arrays.stream(guarded).sum());
    }
}
