import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.Vector;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Two threads that draw numbers, compute and collect, each for itself, are not ordered by the seeds, caches and
 * pools that they have in common. Each API was used before by main.
 */
public class Main {
    /** Two threads use an API, each for itself, between a write and a read of a field. */
    abstract static class Between {
        abstract void write();

        abstract int read();

        /** Uses the API with objects of the thread's own. */
        abstract Object use(int who) throws Throwable;

        final void first() {
            write();
            attempt(1);
        }

        final void second() {
            attempt(2);
            read();
        }

        final void attempt(int who) {
            try {
                Objects.requireNonNull(use(who));
            } catch (Throwable failure) {
                failure.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        }
    }

    static class MathRandom extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Math.random() + who; }
    }

    static class NewRandom extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new Random().nextInt(7); }
    }

    static class NewSplittable extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new SplittableRandom().nextLong(); }
    }

    static class SplitOff extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new SplittableRandom(who).split().nextLong(); }
    }

    static class LocalRandom extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ThreadLocalRandom.current().nextGaussian(); }
    }

    static class GeneratorOf extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return RandomGenerator.of("L64X128MixRandom").nextLong(); }
    }

    static class GeneratorDefault extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return RandomGenerator.getDefault().nextInt(); }
    }

    static class StrictRandom extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return StrictMath.random(); }
    }

    static class RandomStream extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new Random(who).ints(7).sum(); }
    }

    static class Shuffled extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            List<Integer> list = new ArrayList<>(List.of(1, 2, 3, who));
            Collections.shuffle(list);
            return list;
        }
    }

    static class NewSecure extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new SecureRandom().nextInt(); }
    }

    static class SecureByName extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return SecureRandom.getInstance("SHA1PRNG").nextInt(); }
    }

    static class SecureSeed extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new SecureRandom().generateSeed(4); }
    }

    static class RandomUuid extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return UUID.randomUUID(); }
    }

    static class BigIntegers extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return BigInteger.valueOf(7 + who).pow(77).toString(17); }
    }

    static class Primes extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return BigInteger.valueOf(1_000_003L * (who + 1)).nextProbablePrime(); }
    }

    static class BigDecimals extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return BigDecimal.ONE.divide(BigDecimal.valueOf(7 + who), MathContext.DECIMAL64).toPlainString();
        }
    }

    static class Boxed extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return List.of(Integer.valueOf(who), Long.valueOf(who), Character.valueOf('c'), Byte.valueOf("1"));
        }
    }

    static class ParsedDouble extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Double.parseDouble("1.2345e" + who) + Float.parseFloat("0x1p" + who); }
    }

    static class Statistics extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return IntStream.range(0, 7 + who).summaryStatistics().getAverage(); }
    }

    static class Collected extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return IntStream.range(0, 17 + who).boxed().collect(Collectors.groupingBy(i -> i % 3, Collectors.summingInt(i -> i)));
        }
    }

    static class ImmutableSets extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Map.of("a", 1, "b" + who, 2).keySet().stream().sorted().toList(); }
    }

    static class OptionalOf extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Optional.of("a" + who).map(String::length).filter(n -> n > 1).orElse(0); }
    }

    static class Crc extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            CRC32 crc = new CRC32();
            crc.update(new byte[] {1, 2, (byte) who});
            return crc.getValue();
        }
    }

    static class Zipped extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Deflater deflater = new Deflater();
            Inflater inflater = new Inflater();
            byte[] zipped = new byte[100];
            deflater.setInput(new byte[] {1, 1, 1, 1, 1, (byte) who});
            deflater.finish();
            inflater.setInput(zipped, 0, deflater.deflate(zipped));
            int length = inflater.inflate(new byte[100]);
            deflater.end();
            inflater.end();
            return length;
        }
    }

    static class Sorted extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            int[] array = new Random(who).ints(100).toArray();
            Arrays.sort(array);
            return Arrays.hashCode(array);
        }
    }

    static class OwnMaps extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Map<Object, Integer> map = new HashMap<>(Map.of("a" + who, 1));
            map.putAll(new TreeMap<>(Map.of("b", 2)));
            map.putAll(new LinkedHashMap<>(Map.of("c", 3)));
            map.putAll(new IdentityHashMap<>(Map.of("d", 4)));
            return map.size();
        }
    }

    static class OwnEnumMap extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new EnumMap<>(Map.of(TimeUnit.DAYS, who)).toString(); }
    }

    static class OwnWeakMap extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Map<Object, Integer> map = new WeakHashMap<>();
            map.put("a" + who, 1);
            return map.containsKey("a" + who);
        }
    }

    static class OwnConcurrentMap extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new ConcurrentHashMap<>(Map.of("a", who)).merge("a", 1, Integer::sum); }
    }

    static class OwnSkipList extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new ConcurrentSkipListMap<>(Map.of("a", who)).firstKey(); }
    }

    static class OwnQueues extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return new LinkedBlockingQueue<>(new PriorityBlockingQueue<>(new ConcurrentLinkedQueue<>(List.of(who, 2)))).poll();
        }
    }

    static class OwnDeque extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new ArrayDeque<>(new PriorityQueue<>(List.of(who, 2))).pop(); }
    }

    static class OwnCopyOnWrite extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new CopyOnWriteArrayList<>(List.of(who, 2)).addIfAbsent(3); }
    }

    static class OwnSynchronized extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            List<Object> list = Collections.synchronizedList(new Vector<>());
            list.add(who);
            Map<Object, Object> map = Collections.synchronizedMap(new Hashtable<>());
            map.put(who, list);
            return map.size();
        }
    }

    static class OwnProperties extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Properties properties = new Properties();
            properties.setProperty("a", "b" + who);
            return properties.getProperty("a");
        }
    }

    static class OwnAdder extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            LongAdder adder = new LongAdder();
            adder.add(who);
            return adder.sum() + new AtomicLong(who).incrementAndGet();
        }
    }

    static class OwnBits extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            BitSet bits = new BitSet();
            bits.set(who * 100);
            return bits.cardinality();
        }
    }

    static class Hashes extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return Objects.hash(who, "a", 2L) + System.identityHashCode(new Object()) + new Object().hashCode();
        }
    }

    static class SystemProperty extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return System.getProperty("java.version") + System.getProperty("between." + who) + System.lineSeparator();
        }
    }

    static class Environment extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return System.getenv().size() + String.valueOf(System.getenv("PATH")).length(); }
    }

    static class Processors extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return Runtime.getRuntime().availableProcessors() + Runtime.getRuntime().freeMemory() + Runtime.version().feature();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Between[] all = {
            new MathRandom(), new NewRandom(), new NewSplittable(), new SplitOff(), new LocalRandom(),
            new GeneratorOf(), new GeneratorDefault(), new StrictRandom(), new RandomStream(), new Shuffled(),
            new NewSecure(), new SecureByName(), new SecureSeed(), new RandomUuid(), new BigIntegers(),
            new Primes(), new BigDecimals(), new Boxed(), new ParsedDouble(), new Statistics(),
            new Collected(), new ImmutableSets(), new OptionalOf(), new Crc(), new Zipped(), new Sorted(),
            new OwnMaps(), new OwnEnumMap(), new OwnWeakMap(), new OwnConcurrentMap(), new OwnSkipList(),
            new OwnQueues(), new OwnDeque(), new OwnCopyOnWrite(), new OwnSynchronized(), new OwnProperties(),
            new OwnAdder(), new OwnBits(), new Hashes(), new SystemProperty(), new Environment(),
            new Processors(),
        };
        List<Thread> firsts = new ArrayList<>();
        List<Thread> seconds = new ArrayList<>();
        for (Between each : all) {
            // What a first use makes exists from here on.
            each.attempt(0);
            firsts.add(new Thread(each::first));
            seconds.add(new Thread(each::second));
        }
        firsts.forEach(Thread::start);
        // Long enough for the first ones to be through. No synchronization: main learns nothing from them.
        Thread.sleep(1500);
        seconds.forEach(Thread::start);
        for (Thread thread : firsts) {
            thread.join();
        }
        for (Thread thread : seconds) {
            thread.join();
        }
        System.out.println("done");
    }
}
