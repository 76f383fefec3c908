import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** One thread puts a key, the other gets another: the map orders nothing between them. */
public class Main {
    private static final ConcurrentMap<Integer, String> MAP = new ConcurrentHashMap<>(64);
    private static int data;

    static void write() {
        data = 1; // race: writes data
        MAP.put(1, "one");
    }

    static int read() {
        return MAP.get(2).length() + data; // race: reads data
    }

    public static void main(String[] arguments) throws InterruptedException {
        MAP.put(2, "two");
        Thread writer = new Thread(Main::write);
        writer.start();
        int seen = read();
        writer.join();
        System.out.println(seen > 2);
    }
}
