import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** As many lock operations in one thread as the argument says, each with an access; then a race. */
public class Main {
    private int counted;
    private int raced;

    synchronized void count() {
        counted++;
    }

    void race() {
        raced++; // race: reads writes raced
    }

    static void showMemory() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            lines.filter(line -> line.startsWith("VmHWM")).forEach(System.out::println);
        }
    }

    public static void main(String[] arguments) throws InterruptedException, IOException {
        int all = Integer.parseInt(arguments[0]);
        Main main = new Main();
        Thread worker = new Thread(() -> {
            for (int i = 0; i < all; i++) {
                main.count();
            }
            main.race();
        });
        worker.start();
        main.race();
        worker.join();
        main.count();
        System.out.println(main.counted - 1);
        showMemory();
    }
}
