import java.util.UUID;

/** What the program does depends on a random number that no two runs have in common. */
public class Main {
    static int count;

    static synchronized void step() {
        count++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int steps = UUID.randomUUID().hashCode() & 0xffff;
        Thread other = new Thread(Main::step);
        other.start();
        for (int i = 0; i < 10 + steps % 1000; i++) {
            step();
        }
        other.join();
    }
}
