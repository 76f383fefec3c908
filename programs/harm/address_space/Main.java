import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Limits its own address space to little more than it has, then uses many large arrays that are in its heap already. */
public class Main {
    private static int first;
    private static int second;

    /** What the process has now, in kB. */
    private static long size() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmSize:")) {
                return Long.parseLong(line.split("\\s+")[1]);
            }
        }
        throw new IOException("no VmSize");
    }

    private static void limit() throws IOException, InterruptedException {
        long bytes = (size() + 200 * 1024) * 1024;
        String process = String.valueOf(ProcessHandle.current().pid());
        Process prlimit = new ProcessBuilder("prlimit", "--pid", process, "--as=" + bytes).inheritIO().start();
        if (prlimit.waitFor() != 0) {
            throw new IOException("prlimit failed");
        }
    }

    private static long use(byte[][] arrays) {
        long sum = 0;
        for (byte[] array : arrays) {
            for (int i = 0; i < array.length; i += 1000) {
                array[i]++;
                sum += array[i];
            }
        }
        return sum;
    }

    private static void race(Runnable access) throws InterruptedException {
        Thread one = new Thread(access), two = new Thread(access);
        one.start();
        two.start();
        one.join();
        two.join();
    }

    public static void main(String[] arguments) throws Exception {
        byte[][] arrays = new byte[64][1 << 20];
        race(() -> first++);
        limit();
        System.out.println(use(arrays));
        race(() -> second++);
        System.out.println("done");
    }
}
