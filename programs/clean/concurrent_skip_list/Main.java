import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** What was written before an element went into a skip list comes before what follows finding it there. */
public class Main {
    static final class Box implements Comparable<Box> {
        final int rank;
        int value;

        Box(int rank) {
            this.rank = rank;
        }

        @Override
        public int compareTo(Box other) {
            return Integer.compare(rank, other.rank);
        }
    }

    private static final ConcurrentNavigableMap<Integer, Box> MAP = new ConcurrentSkipListMap<>();
    private static final ConcurrentSkipListSet<Box> SET = new ConcurrentSkipListSet<>();
    private static final int COUNT = 100;

    static void publish() {
        for (int i = 1; i <= COUNT; i++) {
            Box one = new Box(i);
            one.value = i;
            MAP.put(i * 37 % 101, one);
            Box two = new Box(i * 53 % 101);
            two.value = i;
            SET.add(two);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread publisher = new Thread(Main::publish);
        publisher.start();
        int sum = 0;
        for (int i = 1; i <= COUNT; i++) {
            Box box;
            while ((box = MAP.get(i)) == null) {
                Thread.onSpinWait();
            }
            sum += box.value;
        }
        for (int taken = 0; taken < COUNT; ) {
            Box box = SET.pollFirst();
            if (box != null) {
                sum += box.value;
                taken++;
            }
        }
        publisher.join();
        System.out.println(sum);
    }
}
