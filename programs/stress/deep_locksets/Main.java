import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Two threads hold as many locks as the argument says, one inside the other, with accesses at every depth. */
public class Main {
    private final Object[] locks;
    private int counted;
    private int raced;

    Main(int depth) {
        locks = new Object[depth];
        for (int i = 0; i < depth; i++) {
            locks[i] = new Object();
        }
    }

    void descend(int depth) {
        if (depth == locks.length) {
            counted++;
            return;
        }
        synchronized (locks[depth]) {
            if (depth > 0) {
                counted++;
            }
            descend(depth + 1);
        }
    }

    void race(int depth) {
        if (depth == locks.length) {
            raced++; // race: reads writes raced
            return;
        }
        synchronized (new Object()) {
            race(depth + 1);
        }
    }

    static void showMemory() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            lines.filter(line -> line.startsWith("VmHWM")).forEach(System.out::println);
        }
    }

    public static void main(String[] arguments) throws InterruptedException, IOException {
        Main main = new Main(Integer.parseInt(arguments[0]));
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int round = 0; round < 20; round++) {
                    main.descend(0);
                }
                main.race(0);
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(main.counted / 40);
        showMemory();
    }
}
