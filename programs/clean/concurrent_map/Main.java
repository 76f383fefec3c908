import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** What was written before put() comes before what follows a get() that saw it; compute() is alone with its key. */
public class Main {
    static final class Box {
        int value;
    }

    private static final ConcurrentMap<Integer, Box> MAP = new ConcurrentHashMap<>();
    private static final int KEYS = 100;

    static void publish() {
        for (int key = 0; key < KEYS; key++) {
            Box box = new Box();
            box.value = key;
            switch (key % 4) {
                case 0 -> MAP.put(key, box);
                case 1 -> MAP.putIfAbsent(key, box);
                case 2 -> MAP.computeIfAbsent(key, absent -> box);
                default -> MAP.merge(key, box, (one, two) -> two);
            }
        }
    }

    static int read() {
        int sum = 0;
        for (int key = 0; key < KEYS; key++) {
            Box box;
            while ((box = MAP.get(key)) == null) {
                Thread.onSpinWait();
            }
            sum += box.value;
        }
        return sum;
    }

    static void count() {
        for (int i = 0; i < 100; i++) {
            MAP.compute(-1 - i % 3, (key, box) -> {
                Box counted = box == null ? new Box() : box;
                counted.value++;
                return counted;
            });
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(() -> {
            publish();
            count();
        });
        other.start();
        int sum = read();
        count();
        other.join();
        for (Box box : MAP.values()) {
            sum += box.value;
        }
        System.out.println(sum);
    }
}
