import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** As many threads as the argument says live at once, share a lock and a volatile field, and race once each. */
public class Main {
    private int waiting;
    private int counted;
    private int raced;
    private volatile boolean go;

    synchronized void arrive() {
        waiting++;
        notifyAll();
    }

    synchronized void count() {
        counted++;
    }

    synchronized void awaitAll(int all) throws InterruptedException {
        while (waiting < all) {
            wait();
        }
    }

    void race() {
        raced = 1; // race: writes raced
    }

    void work() {
        race();
        arrive();
        while (!go) {
            try {
                Thread.sleep(5);
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        }
        for (int i = 0; i < 10; i++) {
            count();
        }
    }

    static void showMemory() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            lines.filter(line -> line.startsWith("VmHWM")).forEach(System.out::println);
        }
    }

    public static void main(String[] arguments) throws InterruptedException, IOException {
        int all = Integer.parseInt(arguments[0]);
        Main main = new Main();
        Thread[] threads = new Thread[all];
        for (int i = 0; i < all; i++) {
            threads[i] = new Thread(null, main::work, "live-" + i, 1 << 17);
            threads[i].start();
        }
        main.awaitAll(all);
        main.go = true;
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(main.counted / 10);
        showMemory();
    }
}
