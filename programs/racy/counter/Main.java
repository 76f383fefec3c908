/** Two threads count without a lock. */
public class Main {
    static final class Counter {
        int value;
    }

    static void count(Counter counter) {
        counter.value++; // race: reads writes value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Counter counter = new Counter();
        Thread one = new Thread(() -> count(counter));
        Thread two = new Thread(() -> count(counter));
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("counted");
    }
}
