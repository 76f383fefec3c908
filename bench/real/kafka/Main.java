import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A broker that is its own controller, producers (one that several threads share, one with transactions) and consumers (a group
 * that shares the partitions, one that reads what was committed). */
public class Main {
    private static final String TOPIC = "topic";
    private static final int PARTITIONS = 4;

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static KafkaRaftServer broker(Path place, int port, int controller) throws Exception {
        Formatter formatter = new Formatter().setClusterId(Uuid.randomUuid().toString()).setNodeId(1)
                .setControllerListenerName("CONTROLLER").addDirectory(place.toString()).setMetadataLogDirectory(place.toString())
                .setPrintStream(new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
        formatter.run();
        Properties properties = new Properties();
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", "1");
        properties.put("listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controller);
        properties.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
        properties.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        properties.put("controller.listener.names", "CONTROLLER");
        properties.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
        properties.put("log.dirs", place.toString());
        properties.put("offsets.topic.num.partitions", "1");
        properties.put("offsets.topic.replication.factor", "1");
        properties.put("transaction.state.log.num.partitions", "1");
        properties.put("transaction.state.log.replication.factor", "1");
        properties.put("transaction.state.log.min.isr", "1");
        properties.put("group.initial.rebalance.delay.ms", "0");
        properties.put("num.network.threads", "2");
        properties.put("num.io.threads", "2");
        properties.put("log.cleaner.enable", "false");
        KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
        server.startup();
        return server;
    }

    private static KafkaProducer<Integer, String> producer(int port, Map<String, Object> more) {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", "127.0.0.1:" + port);
        properties.put("linger.ms", "2");
        properties.putAll(more);
        return new KafkaProducer<>(properties, new IntegerSerializer(), new StringSerializer());
    }

    private static KafkaConsumer<Integer, String> consumer(int port, Map<String, Object> more) {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", "127.0.0.1:" + port);
        properties.put("auto.offset.reset", "earliest");
        properties.putAll(more);
        return new KafkaConsumer<>(properties, new IntegerDeserializer(), new StringDeserializer());
    }

    private static int produce(KafkaProducer<Integer, String> shared, int rank, int messages) throws Exception {
        AtomicInteger acknowledged = new AtomicInteger();
        for (int number = 0; number < messages; number++) {
            int key = rank * messages + number;
            shared.send(new ProducerRecord<>(TOPIC, key, "value " + key), (metadata, failure) -> {
                if (failure == null) {
                    acknowledged.incrementAndGet();
                }
            });
            if (number % 100 == 0) {
                shared.flush();
            }
        }
        shared.flush();
        return acknowledged.get();
    }

    /** Transactions, every third of which is given up. */
    private static int transact(int port, int messages) throws Exception {
        try (KafkaProducer<Integer, String> producer = producer(port, Map.of("transactional.id", "t"))) {
            producer.initTransactions();
            for (int number = 0; number < messages; number += 10) {
                producer.beginTransaction();
                for (int each = number; each < number + 10; each++) {
                    producer.send(new ProducerRecord<>("committed", 0, each, "v" + each));
                }
                if (number % 30 == 0) {
                    producer.abortTransaction();
                } else {
                    producer.commitTransaction();
                }
            }
        }
        return messages;
    }

    /** One of a group: reads until the group has read all. */
    private static long consume(int port, AtomicInteger left) {
        long sum = 0;
        try (KafkaConsumer<Integer, String> consumer = consumer(port, Map.of("group.id", "group", "max.poll.records", "50"))) {
            consumer.subscribe(List.of(TOPIC));
            while (left.get() > 0) {
                for (ConsumerRecord<Integer, String> each : consumer.poll(Duration.ofMillis(50))) {
                    sum += each.key() + each.value().length();
                    left.decrementAndGet();
                }
                consumer.commitAsync();
            }
        }
        return sum;
    }

    private static long consumeCommitted(int port, int wanted) {
        long sum = 0;
        int seen = 0;
        try (KafkaConsumer<Integer, String> consumer = consumer(port, Map.of("isolation.level", "read_committed"))) {
            consumer.assign(List.of(new TopicPartition("committed", 0)));
            while (seen < wanted) {
                for (ConsumerRecord<Integer, String> each : consumer.poll(Duration.ofMillis(50))) {
                    sum += each.key() + each.value().length();
                    seen++;
                }
            }
        }
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        Path place = Files.createTempDirectory("kafka");
        int port = freePort();
        KafkaRaftServer broker = broker(place, port, freePort());
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:" + port))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1), new NewTopic("committed", 1, (short) 1)))
                    .all().get();
            System.out.println(admin.describeCluster().nodes().get().size());
        }
        int messages = Crew.part(400);
        int transacted = Crew.part(120);
        int committed = transacted - (transacted + 29) / 30 * 10;
        AtomicInteger left = new AtomicInteger(3 * messages);
        try (KafkaProducer<Integer, String> shared = producer(port, Map.of("compression.type", "gzip"))) {
            List<Object> made = Crew.work(7, rank -> switch (rank) {
                case 0, 1, 2 -> produce(shared, rank, messages);
                case 3 -> transact(port, transacted);
                case 4 -> consumeCommitted(port, committed);
                default -> consume(port, left);
            });
            // Which of the group reads what is not settled, only what both read.
            System.out.println(made.subList(0, 5) + " " + ((Long) made.get(5) + (Long) made.get(6)));
        }
        broker.shutdown();
        broker.awaitShutdown();
        try (Stream<Path> files = Files.walk(place)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
