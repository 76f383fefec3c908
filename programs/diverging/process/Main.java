/** What the program does depends on the number of its process. */
public class Main {
    static int count;

    static synchronized void step() {
        count++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        long pid = ProcessHandle.current().pid();
        Thread other = new Thread(Main::step);
        other.start();
        for (long i = 0; i < 10 + pid % 1000; i++) {
            step();
        }
        other.join();
    }
}
