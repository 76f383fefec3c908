import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** As many short threads as the argument says, a few at a time; then two that race. */
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
        Thread[] running = new Thread[8];
        for (int i = 0; i < all; i += running.length) {
            for (int j = 0; j < running.length; j++) {
                running[j] = new Thread(main::count);
                running[j].start();
            }
            for (Thread thread : running) {
                thread.join();
            }
        }
        System.out.println(main.counted);
        Thread one = new Thread(main::race);
        Thread two = new Thread(main::race);
        one.start();
        two.start();
        one.join();
        two.join();
        showMemory();
    }
}
