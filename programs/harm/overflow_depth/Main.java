/** How deep a thread gets before its stack is full: our frames are small. */
public class Main {
    private int depth;
    private final int[] counts = new int[1];

    void fields() {
        depth++;
        fields();
    }

    int values(int one, long two, Object three) {
        counts[0]++;
        return values(one + 1, two * 3, three) + one;
    }

    synchronized void locks() {
        depth++;
        locks();
    }

    void blocks(Object lock) {
        synchronized (lock) {
            depth++;
            blocks(lock);
        }
    }

    static int measure(Main main, Runnable recursion) {
        main.depth = 0;
        main.counts[0] = 0;
        try {
            recursion.run();
        } catch (StackOverflowError expected) {
            return main.depth + main.counts[0];
        }
        return -1;
    }

    /** The compiler makes frames smaller; only what is compiled already can be compared. */
    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread thread = new Thread(null, () -> {
            System.out.println("fields " + measure(main, main::fields));
            System.out.println("values " + measure(main, () -> main.values(0, 1, main)));
            System.out.println("locks " + measure(main, main::locks));
            System.out.println("blocks " + measure(main, () -> main.blocks(main)));
        }, "deep", 1 << 20);
        thread.start();
        thread.join();
    }
}
