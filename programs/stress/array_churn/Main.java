import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Two threads make arrays, use them and drop them; says how much memory the process had at most, in kilobytes. */
public class Main {
    static long work(int count) {
        Object[] last = new Object[1000];
        long sum = 0;
        for (int i = 0; i < count; i++) {
            int[] small = new int[1 + i % 8];
            small[0] = i;
            sum += small[0];
            last[i % last.length] = small;
            if (i % 64 == 0) {
                byte[] large = new byte[200 + i % 1000];
                large[100] = 1;
                sum += large[100];
                last[i % last.length] = large;
            }
        }
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException, IOException {
        int count = Integer.parseInt(arguments[0]);
        Thread other = new Thread(() -> work(count / 2));
        other.start();
        work(count / 2);
        other.join();
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) {
                System.out.println(line.replaceAll("[^0-9]", ""));
            }
        }
    }
}
