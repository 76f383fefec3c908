import java.util.Map;
import java.util.TreeMap;

/** One thread puts into a TreeMap, another gets from it. */
public class Main {
    private static final Map<String, Integer> MAP = new TreeMap<>();

    static void put() {
        MAP.put("key", 1); // race: writes TreeMap
    }

    static Integer get() {
        return MAP.get("key"); // race: reads TreeMap
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread putter = new Thread(Main::put);
        putter.start();
        Integer seen = get();
        putter.join();
        System.out.println(seen == null || seen == 1);
    }
}
