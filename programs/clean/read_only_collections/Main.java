import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** Filled by one thread before the others start, then only read, walked and copied. */
public class Main {
    private final Map<Integer, String> map = new HashMap<>();
    private final NavigableMap<Integer, String> sorted = new TreeMap<>();
    private final NavigableMap<Integer, String> part = sorted.subMap(5, true, 20, true);
    private final List<String> checked = Collections.checkedList(new ArrayList<>(), String.class);
    private final List<String> list = new ArrayList<>();
    private final Set<String> set = new LinkedHashSet<>();
    private final Map<Integer, String> view = Collections.unmodifiableMap(map);

    void fill() {
        for (int i = 0; i < 50; i++) {
            map.put(i, "map" + i);
            sorted.put(i, "sorted" + i);
            list.add("list" + i);
            checked.addAll(List.of("checked" + i));
            set.add("set" + i);
        }
    }

    int read() {
        int sum = 0;
        for (Map.Entry<Integer, String> entry : view.entrySet()) {
            sum += entry.getKey() + entry.getValue().length();
        }
        for (String value : sorted.values()) {
            sum += value.length();
        }
        for (String element : list) {
            sum += set.contains(element) ? 1 : element.length();
        }
        sum += sorted.descendingKeySet().first() + sorted.descendingMap().headMap(30).size();
        sum += part.descendingMap().firstKey() + part.navigableKeySet().last() + part.entrySet().iterator().next().getKey();
        sum += checked.subList(3, 9).size();
        return sum + new ArrayList<>(set).size() + map.keySet().size() + map.getOrDefault(99, "").length();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        main.fill();
        Thread one = new Thread(main::read);
        Thread two = new Thread(main::read);
        one.start();
        two.start();
        int sum = main.read();
        one.join();
        two.join();
        System.out.println(sum);
    }
}
