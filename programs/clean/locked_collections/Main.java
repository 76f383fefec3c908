import java.text.SimpleDateFormat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** Classes of the JDK that are not safe for threads, each used under one lock only: a monitor, then a ReentrantLock. */
public class Main {
    private final HashMap<Integer, Integer> hashMap = new HashMap<>();
    private final TreeMap<Integer, Integer> treeMap = new TreeMap<>();
    private final HashSet<Integer> hashSet = new HashSet<>();
    private final ArrayList<Integer> arrayList = new ArrayList<>();
    private final LinkedList<Integer> linkedList = new LinkedList<>();
    private final ArrayDeque<Integer> arrayDeque = new ArrayDeque<>();
    private final PriorityQueue<Integer> priorityQueue = new PriorityQueue<>();
    private final StringBuilder text = new StringBuilder();
    private final BitSet bits = new BitSet();
    private final SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT);

    void fill(int i) {
        hashMap.merge(i, 1, Integer::sum);
        treeMap.put(i, treeMap.getOrDefault(i, 0) + 1);
        hashSet.add(i);
        arrayList.add(i);
        linkedList.addFirst(i);
        arrayDeque.offer(i);
        priorityQueue.add(-i);
        text.append(i % 10);
        bits.set(i);
        format.format(new Date(i));
    }

    int size() {
        int size = hashMap.size() + treeMap.size() + hashSet.size() + arrayList.size() + linkedList.size();
        return size + arrayDeque.size() + priorityQueue.size() + text.length() + bits.cardinality();
    }

    void underMonitor() {
        for (int i = 0; i < 100; i++) {
            synchronized (this) {
                fill(i);
            }
        }
    }

    void underLock(ReentrantLock lock) {
        for (int i = 0; i < 100; i++) {
            lock.lock();
            try {
                fill(i);
            } finally {
                lock.unlock();
            }
        }
    }

    static void both(Runnable work) throws InterruptedException {
        Thread other = new Thread(work);
        other.start();
        work.run();
        other.join();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main one = new Main();
        both(one::underMonitor);
        Main two = new Main();
        ReentrantLock lock = new ReentrantLock();
        both(() -> two.underLock(lock));
        System.out.println(one.size() + " " + two.size());
    }
}
