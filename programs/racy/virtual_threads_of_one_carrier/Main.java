/** Two virtual threads share their only carrier, which runs one after the other: that orders nothing between them. */
public class Main {
    private static int total;

    static void add() {
        total++; // race: reads writes total
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.setProperty("jdk.virtualThreadScheduler.parallelism", "1");
        System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", "1");
        Thread one = Thread.ofVirtual().name("one").start(Main::add);
        Thread two = Thread.ofVirtual().name("two").start(Main::add);
        one.join();
        two.join();
        System.out.println(total > 0);
    }
}
