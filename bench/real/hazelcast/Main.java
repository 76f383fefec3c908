import com.hazelcast.collection.IQueue;
import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NearCacheConfig;
import com.hazelcast.core.EntryEvent;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import com.hazelcast.multimap.MultiMap;
import com.hazelcast.query.Predicates;
import com.hazelcast.topic.ITopic;
import com.hazelcast.transaction.TransactionContext;
import com.hazelcast.transaction.TransactionalMap;
import java.io.Serializable;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Two members that find each other over loopback, and threads that use maps, queues, topics, locks, executors and transactions
 * through either. */
public class Main {
    public static class Person implements Serializable {
        public final String name;
        public final int age;

        public Person(String name, int age) {
            this.name = name;
            this.age = age;
        }

        public int getAge() {
            return age;
        }
    }

    /** Runs on the member that is asked. */
    public static class Sum implements Callable<Long>, Serializable {
        private final int upTo;

        public Sum(int upTo) {
            this.upTo = upTo;
        }

        @Override
        public Long call() {
            long sum = 0;
            for (int number = 0; number <= upTo; number++) {
                sum += number;
            }
            return sum;
        }
    }

    private static HazelcastInstance member(String seed) {
        Config config = new Config();
        config.setClusterName("real");
        config.setProperty("hazelcast.logging.type", "none");
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.shutdownhook.enabled", "false");
        config.setProperty("hazelcast.socket.bind.any", "false");
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        config.setProperty("hazelcast.partition.count", "31");
        config.setProperty("hazelcast.operation.thread.count", "2");
        config.setProperty("hazelcast.graceful.shutdown.max.wait", "60");
        config.getNetworkConfig().setPort(0);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true).addMember(seed);
        config.getMetricsConfig().setEnabled(false);
        config.getMapConfig("near").setInMemoryFormat(InMemoryFormat.OBJECT)
                .setNearCacheConfig(new NearCacheConfig().setInMemoryFormat(InMemoryFormat.OBJECT).setCacheLocalEntries(true));
        config.getMapConfig("people").addIndexConfig(new IndexConfig(IndexType.SORTED, "age"));
        return Hazelcast.newHazelcastInstance(config);
    }

    private static String work(HazelcastInstance member, int rank) throws Exception {
        int rounds = Crew.part(80);
        IMap<String, Integer> counts = member.getMap("counts");
        IMap<String, Person> people = member.getMap("people");
        IMap<String, Integer> near = member.getMap("near");
        MultiMap<String, Integer> multi = member.getMultiMap("multi");
        IQueue<Integer> queue = member.getQueue("queue");
        ITopic<String> topic = member.getTopic("topic");
        long sum = 0;
        for (int round = 0; round < rounds; round++) {
            String key = "k" + round % 20;
            counts.executeOnKey(key, entry -> entry.setValue(entry.getValue() == null ? 1 : entry.getValue() + 1));
            near.put("n" + rank + "-" + round % 10, round);
            sum += near.get("n" + rank + "-" + round % 10);
            near.get("n" + (rank + 1) % 4 + "-" + round % 10);
            people.setAsync("p" + rank + "-" + round, new Person("person" + round, round % 50)).toCompletableFuture().get();
            multi.put("m" + rank, round);
            queue.add(round);
            sum += queue.take() >= 0 ? 1 : 0;
            topic.publish("t" + rank);
            if (round % 10 == 0) {
                counts.lock("locked");
                try {
                    counts.put("locked", counts.getOrDefault("locked", 0) + 1);
                } finally {
                    counts.unlock("locked");
                }
                Future<Long> task = member.getExecutorService("executor").submit(new Sum(round));
                sum += task.get();
                TransactionContext transaction = member.newTransactionContext();
                transaction.beginTransaction();
                TransactionalMap<String, Integer> moved = transaction.getMap("moved");
                Integer old = moved.getForUpdate("total");
                moved.put("total", old == null ? 1 : old + 1);
                transaction.commitTransaction();
            }
        }
        sum += people.entrySet(Predicates.and(Predicates.between("age", 10, 20),
                Predicates.like("__key", "p" + rank + "-%"))).size();
        return sum + " " + multi.get("m" + rank).size();
    }

    public static void main(String[] arguments) throws Exception {
        HazelcastInstance one = member("127.0.0.1:1");
        HazelcastInstance two = member("127.0.0.1:" + one.getCluster().getLocalMember().getAddress().getPort());
        System.out.println(one.getCluster().getMembers().size() + " " + two.getCluster().getMembers().size());
        int messages = 4 * Crew.part(80);
        CountDownLatch heard = new CountDownLatch(2 * messages);
        AtomicLong changed = new AtomicLong();
        for (HazelcastInstance member : new HazelcastInstance[] {one, two}) {
            member.<String>getTopic("topic").addMessageListener(message -> heard.countDown());
        }
        one.<String, Integer>getMap("counts").addEntryListener(new Changes(changed), true);
        System.out.println(Crew.work(4, rank -> work(rank % 2 == 0 ? one : two, rank)));
        System.out.println(heard.await(60, TimeUnit.SECONDS) + " " + one.getMap("counts").get("k7") + " "
                + two.getMap("counts").get("locked") + " " + one.getMap("moved").get("total") + " " + one.getQueue("queue").size());
        System.out.println(two.<String, Person>getMap("people").values(Predicates.greaterThan("age", 30)).size());
        // The other member takes over what this one had.
        one.shutdown();
        System.out.println(two.getMap("people").size());
        two.shutdown();
    }

    static class Changes implements EntryAddedListener<String, Integer>, EntryUpdatedListener<String, Integer> {
        private final AtomicLong changed;

        Changes(AtomicLong changed) {
            this.changed = changed;
        }

        @Override
        public void entryAdded(EntryEvent<String, Integer> event) {
            changed.incrementAndGet();
        }

        @Override
        public void entryUpdated(EntryEvent<String, Integer> event) {
            changed.incrementAndGet();
        }
    }
}
