import java.util.HashMap;
import java.util.Map;

/** One thread puts into a HashMap, another gets from it. */
public class Main {
    private static final Map<String, Integer> MAP = new HashMap<>();

    static void put() {
        MAP.put("key", 1); // race: writes HashMap
    }

    static Integer get() {
        return MAP.get("key"); // race: reads HashMap
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread putter = new Thread(Main::put);
        putter.start();
        Integer seen = get();
        putter.join();
        System.out.println(seen == null || seen == 1);
    }
}
