import java.util.concurrent.ConcurrentSkipListMap;

/** A box is changed after it was put into a ConcurrentSkipListMap. */
public class Main {
    static final class Box {
        int value;
    }

    private static final ConcurrentSkipListMap<String, Box> MAP = new ConcurrentSkipListMap<>();

    static void publish() {
        Box box = new Box();
        MAP.put("key", box);
        box.value = 1; // race: writes value
    }

    static int read() {
        Box box;
        while ((box = MAP.get("key")) == null) {
            Thread.onSpinWait();
        }
        return box.value; // race: reads value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread publisher = new Thread(Main::publish);
        publisher.start();
        int seen = read();
        publisher.join();
        System.out.println(seen < 2);
    }
}
