import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.LiteBlockingWaitStrategy;
import com.lmax.disruptor.PhasedBackoffWaitStrategy;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.SleepingWaitStrategy;
import com.lmax.disruptor.TimeoutBlockingWaitStrategy;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import com.lmax.disruptor.util.DaemonThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Ring buffers with one and with many producers, handlers in a diamond, each way of waiting. */
public class Main {
    static class Event {
        long value;
        long doubled;
        String text;
        final long[] more = new long[4];
    }

    /** What a handler collects is read when the disruptor is shut down and its threads have ended. */
    static class Sum implements EventHandler<Event> {
        private long sum;
        private int seen;

        @Override
        public void onEvent(Event event, long sequence, boolean last) {
            sum += event.value + event.doubled + event.text.length() + event.more[(int) (sequence & 3)];
            seen++;
        }

        String result() {
            return seen + ":" + sum;
        }
    }

    private static String run(ProducerType type, int producers, WaitStrategy strategy, int events) throws Exception {
        List<Thread> threads = new ArrayList<>();
        Disruptor<Event> disruptor = new Disruptor<>(Event::new, 256, task -> {
            Thread thread = DaemonThreadFactory.INSTANCE.newThread(task);
            threads.add(thread);
            return thread;
        }, type, strategy);
        Sum sum = new Sum();
        // Two handlers that change different fields of each event, and one after both; it takes part in clearing, too.
        disruptor.handleEventsWith((event, sequence, last) -> event.doubled = event.value * 2,
                (event, sequence, last) -> event.text = "v" + event.value).then(sum)
                .then((event, sequence, last) -> event.text = null);
        RingBuffer<Event> ring = disruptor.start();
        Crew.work(producers, rank -> {
            for (int number = 0; number < events; number += 4) {
                long value = rank * 100_000L + number;
                ring.publishEvent((event, sequence) -> fill(event, value));
                ring.publishEvent((event, sequence, plus) -> fill(event, value + plus), 1L);
                long high = ring.next(2);
                for (long sequence = high - 1; sequence <= high; sequence++) {
                    fill(ring.get(sequence), value + 3 - (high - sequence));
                }
                ring.publish(high - 1, high);
            }
            return rank;
        });
        disruptor.shutdown();
        for (Thread thread : threads) {
            thread.join();
        }
        return sum.result();
    }

    private static void fill(Event event, long value) {
        event.value = value;
        java.util.Arrays.fill(event.more, value);
    }

    public static void main(String[] arguments) throws Exception {
        int events = Crew.part(2_000);
        WaitStrategy[] strategies = {new BlockingWaitStrategy(), new YieldingWaitStrategy(), new SleepingWaitStrategy(),
            new LiteBlockingWaitStrategy(), new TimeoutBlockingWaitStrategy(10, TimeUnit.MILLISECONDS),
            PhasedBackoffWaitStrategy.withLock(1, 10, TimeUnit.MICROSECONDS)};
        for (WaitStrategy strategy : strategies) {
            System.out.println(strategy.getClass().getSimpleName() + " " + run(ProducerType.MULTI, 3, strategy, events));
        }
        System.out.println("single " + run(ProducerType.SINGLE, 1, new BlockingWaitStrategy(), events));
        System.out.println("single " + run(ProducerType.SINGLE, 1, new SleepingWaitStrategy(), events));
    }
}
