import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;

/** Wrappers and old classes that lock in each call; a walk over them needs the same lock. */
public class Main {
    private static final Map<Integer, Integer> MAP = Collections.synchronizedMap(new HashMap<>());
    private static final Map<Integer, Integer> SORTED = Collections.synchronizedSortedMap(new TreeMap<>());
    private static final List<Integer> LIST = Collections.synchronizedList(new ArrayList<>());
    private static final Set<Integer> SET = Collections.synchronizedSet(new HashSet<>());
    private static final Map<Integer, Integer> TABLE = new Hashtable<>();
    private static final List<Integer> VECTOR = new Vector<>();
    private static final StringBuffer TEXT = new StringBuffer();

    static void work() {
        for (int i = 0; i < 50; i++) {
            MAP.merge(i, 1, Integer::sum);
            SORTED.put(i, i);
            LIST.add(i);
            SET.add(i);
            TABLE.put(i, i);
            VECTOR.add(i);
            TEXT.append(i % 10);
            int sum = 0;
            synchronized (LIST) {
                for (int element : LIST) {
                    sum += element;
                }
            }
            synchronized (VECTOR) {
                for (int element : VECTOR) {
                    sum += element;
                }
            }
            if (sum < 0 || MAP.get(i) == null || TEXT.length() == 0 || !SET.contains(i)) {
                throw new AssertionError();
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(Main::work);
        other.start();
        work();
        other.join();
        int size = MAP.size() + SORTED.size() + LIST.size() + SET.size() + TABLE.size() + VECTOR.size();
        System.out.println(size + TEXT.length());
    }
}
