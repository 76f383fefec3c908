import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts in a ConcurrentHashMap: mostly reads, some of them of objects that other threads made. */
public class ConcurrentMap {
    private static final int KEYS = 20_000;

    private static final class Entry {
        long first;
        long total;

        Entry(long first, long total) {
            this.first = first;
            this.total = total;
        }

        /** Entries do not change once they are in the map. */
        static Entry join(Entry one, Entry other) {
            return new Entry(Math.min(one.first, other.first), one.total + other.total);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Team team = Team.of(arguments);
        int operations = Team.scaled(arguments, 60_000_000);
        Map<Integer, Entry> map = new ConcurrentHashMap<>();
        team.run(rank -> {
            int end = team.from(rank + 1, operations);
            for (int operation = team.from(rank, operations); operation < end; operation++) {
                int mixed = operation * 0x9e3779b9;
                Integer key = (mixed ^ mixed >>> 15) >>> 1;
                key %= KEYS;
                if (operation % 8 == 0) {
                    map.merge(key, new Entry(operation, operation % 10), Entry::join);
                } else {
                    Entry entry = map.get(key);
                    if (entry != null && entry.total < 0) {
                        throw new IllegalStateException("totals are not negative");
                    }
                }
            }
        });
        long total = 0;
        for (Map.Entry<Integer, Entry> entry : map.entrySet()) {
            total += entry.getKey() * 31L + entry.getValue().first * 7 + entry.getValue().total;
        }
        Team.tell(total);
    }
}
