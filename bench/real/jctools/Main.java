import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jctools.counters.CountersFactory;
import org.jctools.counters.FixedSizeStripedLongCounter;
import org.jctools.maps.NonBlockingHashMap;
import org.jctools.maps.NonBlockingHashMapLong;
import org.jctools.maps.NonBlockingHashSet;
import org.jctools.maps.NonBlockingIdentityHashMap;
import org.jctools.maps.NonBlockingSetInt;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.MpmcArrayQueue;
import org.jctools.queues.MpmcUnboundedXaddArrayQueue;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.MpscBlockingConsumerArrayQueue;
import org.jctools.queues.MpscChunkedArrayQueue;
import org.jctools.queues.MpscCompoundQueue;
import org.jctools.queues.MpscGrowableArrayQueue;
import org.jctools.queues.MpscLinkedQueue;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jctools.queues.MpscUnboundedXaddArrayQueue;
import org.jctools.queues.SpmcArrayQueue;
import org.jctools.queues.SpscArrayQueue;
import org.jctools.queues.SpscChunkedArrayQueue;
import org.jctools.queues.SpscGrowableArrayQueue;
import org.jctools.queues.SpscLinkedQueue;
import org.jctools.queues.SpscUnboundedArrayQueue;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;
import org.jctools.queues.atomic.MpscChunkedAtomicArrayQueue;
import org.jctools.queues.atomic.MpscGrowableAtomicArrayQueue;
import org.jctools.queues.atomic.MpscLinkedAtomicQueue;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.jctools.queues.atomic.SpmcAtomicArrayQueue;
import org.jctools.queues.atomic.SpscAtomicArrayQueue;
import org.jctools.queues.atomic.SpscChunkedAtomicArrayQueue;
import org.jctools.queues.atomic.SpscGrowableAtomicArrayQueue;
import org.jctools.queues.atomic.SpscLinkedAtomicQueue;
import org.jctools.queues.atomic.SpscUnboundedAtomicArrayQueue;

/** Queues of every kind with as many producers and consumers as each allows, whose messages are plain objects; and the maps. */
public class Main {
    private static final int MESSAGES = Crew.part(3_000);

    /** Written by a producer before it is queued and by the consumer after; nothing but the queue orders the two. */
    static class Message {
        int number;
        final int[] words = new int[2];

        Message(int number) {
            this.number = number;
            words[number & 1] = number;
        }

        long take() {
            long value = number + words[number & 1];
            number = -1;
            words[0] = 0;
            return value;
        }
    }

    private static String pass(Queue<Message> queue, int producers, int consumers) throws Exception {
        AtomicInteger left = new AtomicInteger(producers * MESSAGES);
        List<Object> sums = Crew.work(producers + consumers, rank -> {
            if (rank < producers) {
                produce(queue, rank);
                return 0L;
            }
            return consume(queue, left, rank % 2 == 1);
        });
        return queue.getClass().getSimpleName() + " " + sums.stream().mapToLong(sum -> (Long) sum).sum();
    }

    @SuppressWarnings("unchecked")
    private static void produce(Queue<Message> queue, int rank) {
        for (int number = 0; number < MESSAGES; number++) {
            Message message = new Message(rank * MESSAGES + number);
            boolean relaxed = number % 3 == 0 && queue instanceof MessagePassingQueue;
            while (!(relaxed ? ((MessagePassingQueue<Message>) queue).relaxedOffer(message) : queue.offer(message))) {
                Thread.yield();
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static long consume(Queue<Message> queue, AtomicInteger left, boolean drains) {
        long[] sum = new long[1];
        MessagePassingQueue<Message> passing = queue instanceof MessagePassingQueue ? (MessagePassingQueue<Message>) queue : null;
        while (left.get() > 0) {
            if (drains && passing != null) {
                int drained = passing.drain(message -> sum[0] += message.take(), 16);
                left.addAndGet(-drained);
                if (drained == 0) {
                    Thread.yield();
                }
            } else {
                Message message = queue.poll();
                if (message == null) {
                    Thread.yield();
                } else {
                    sum[0] += message.take();
                    left.decrementAndGet();
                }
            }
        }
        return sum[0];
    }

    private static void queues() throws Exception {
        List<Queue<Message>> singles = List.of(new SpscArrayQueue<>(64), new SpscChunkedArrayQueue<>(8, 64),
                new SpscGrowableArrayQueue<>(8, 64), new SpscLinkedQueue<>(), new SpscUnboundedArrayQueue<>(16),
                new SpscAtomicArrayQueue<>(64), new SpscChunkedAtomicArrayQueue<>(8, 64),
                new SpscGrowableAtomicArrayQueue<>(8, 64), new SpscLinkedAtomicQueue<>(),
                new SpscUnboundedAtomicArrayQueue<>(16));
        for (Queue<Message> queue : singles) {
            System.out.println(pass(queue, 1, 1));
        }
        List<Queue<Message>> manyToOne = List.of(new MpscArrayQueue<>(64), new MpscBlockingConsumerArrayQueue<>(64),
                new MpscChunkedArrayQueue<>(8, 64), new MpscCompoundQueue<>(64), new MpscGrowableArrayQueue<>(8, 64),
                new MpscLinkedQueue<>(), new MpscUnboundedArrayQueue<>(16), new MpscUnboundedXaddArrayQueue<>(16),
                new MpscAtomicArrayQueue<>(64), new MpscChunkedAtomicArrayQueue<>(8, 64),
                new MpscGrowableAtomicArrayQueue<>(8, 64), new MpscLinkedAtomicQueue<>(),
                new MpscUnboundedAtomicArrayQueue<>(16));
        for (Queue<Message> queue : manyToOne) {
            System.out.println(pass(queue, 3, 1));
        }
        System.out.println(pass(new SpmcArrayQueue<>(64), 1, 3));
        System.out.println(pass(new SpmcAtomicArrayQueue<>(64), 1, 3));
        System.out.println(pass(new MpmcArrayQueue<>(64), 2, 2));
        System.out.println(pass(new MpmcAtomicArrayQueue<>(64), 2, 2));
        System.out.println(pass(new MpmcUnboundedXaddArrayQueue<>(16), 2, 2));
    }

    private static void maps() throws Exception {
        Map<String, int[]> published = new NonBlockingHashMap<>();
        NonBlockingHashMapLong<String> numbers = new NonBlockingHashMapLong<>();
        Map<Object, Integer> identities = new NonBlockingIdentityHashMap<>();
        NonBlockingHashSet<Integer> set = new NonBlockingHashSet<>();
        NonBlockingSetInt bits = new NonBlockingSetInt();
        FixedSizeStripedLongCounter counter = CountersFactory.createFixedSizeStripedCounter(4);
        System.out.println(Crew.work(4, rank -> {
            long seen = 0;
            for (int number = 0; number < MESSAGES; number++) {
                String key = "k" + number;
                int value = number;
                int[] there = published.computeIfAbsent(key, none -> new int[] {value});
                seen += there[0];
                numbers.putIfAbsent(number, "n" + number);
                seen += numbers.get(number).length();
                Object mine = new Object();
                identities.put(mine, number);
                seen += identities.get(mine);
                set.add(number);
                bits.add(number);
                counter.inc();
                if (number % 2 == 0) {
                    identities.remove(mine);
                    numbers.replace(number, "n" + number, "m" + number);
                }
            }
            return seen;
        }));
        System.out.println(published.size() + " " + numbers.size() + " " + identities.size() + " " + set.size() + " "
                + bits.size() + " " + counter.get());
    }

    /** A consumer that blocks, and ends by a last message. */
    private static void blocking() throws Exception {
        MpscBlockingConsumerArrayQueue<Message> queue = new MpscBlockingConsumerArrayQueue<>(64);
        System.out.println(Crew.work(3, rank -> {
            if (rank > 0) {
                produce(queue, rank);
                return 0L;
            }
            long sum = 0;
            for (int number = 0; number < 2 * MESSAGES; number++) {
                sum += queue.take().take();
            }
            return sum;
        }));
    }

    public static void main(String[] arguments) throws Exception {
        queues();
        blocking();
        maps();
    }
}
