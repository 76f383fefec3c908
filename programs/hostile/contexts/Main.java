import java.util.HashMap;
import java.util.Map;

/** The accesses that race come after thousands of others at the same instructions, each reached by other calls. */
public class Main {
    private static final int DEPTH = 12;

    static final class Cell {
        int value;
    }

    private static final Cell SHARED = new Cell();
    private static final Map<String, Integer> MAP = new HashMap<>();

    static void touch(Cell cell, Map<String, Integer> map) {
        cell.value++;
        map.put("key", cell.value);
    }

    static void left(int depth, int path, Cell cell, Map<String, Integer> map) {
        go(depth, path, cell, map);
    }

    static void right(int depth, int path, Cell cell, Map<String, Integer> map) {
        go(depth, path, cell, map);
    }

    static void go(int depth, int path, Cell cell, Map<String, Integer> map) {
        if (depth == 0) {
            touch(cell, map);
        } else if ((path & 1) == 0) {
            left(depth - 1, path >> 1, cell, map);
        } else {
            right(depth - 1, path >> 1, cell, map);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Runnable task = () -> {
            for (int path = 0; path < 1 << DEPTH; path++) {
                go(DEPTH, path, new Cell(), new HashMap<>());
            }
            // A path that was never taken.
            go(DEPTH + 1, 0, SHARED, MAP);
        };
        Thread one = new Thread(task);
        Thread other = new Thread(task);
        one.start();
        other.start();
        one.join();
        other.join();
    }
}
