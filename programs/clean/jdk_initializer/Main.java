import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Collections that a class of the JDK makes when it is initialized, by one thread, and that others use. */
public class Main {
    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = new Thread[4];
        List<?>[] lists = new List<?>[threads.length];
        for (int i = 0; i < threads.length; i++) {
            int mine = i;
            threads[i] = new Thread(() -> lists[mine] = Stream.of(1, 2, 3).collect(Collectors.toList()));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(lists[0] + " " + lists[3]);
    }
}
