/** Each thread has its own object. */
public class Main {
    private static final ThreadLocal<Main> MINE = ThreadLocal.withInitial(Main::new);
    private int count;

    static void work() {
        for (int i = 0; i < 1000; i++) {
            MINE.get().count++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(Main::work);
        Thread two = new Thread(Main::work);
        one.start();
        two.start();
        work();
        one.join();
        two.join();
        System.out.println(MINE.get().count);
    }
}
