/** How deep threads get before their stacks are full: the main one, one with the usual stack, one that asks for its own. */
public class Main {
    /** Enough for every compiler, if it compiles at once. */
    private static final int WARM = 200;
    private static final int SHALLOW = 300;

    private static final class Node {
        Node next;
        int value;
    }

    private int depth;
    private int left;
    private final int[] counts = new int[1];
    private static int deepest;

    void fields() {
        if (--left >= 0) {
            depth++;
            fields();
        }
    }

    int values(int one, long two, Object three) {
        if (--left < 0) {
            return 0;
        }
        counts[0]++;
        return values(one + 1, two * 3, three) + one;
    }

    synchronized void locks() {
        if (--left >= 0) {
            depth++;
            locks();
        }
    }

    void blocks(Object lock) {
        synchronized (lock) {
            if (--left >= 0) {
                depth++;
                blocks(lock);
            }
        }
    }

    int sum(Node node) {
        if (--left < 0) {
            return 0;
        }
        depth++;
        return node.value + sum(node.next);
    }

    static int statics(int at, int last) {
        deepest = Math.max(deepest, at);
        return at >= last ? at : statics(at + 1, last) + 1;
    }

    private static int measure(Main main, Runnable recursion) {
        main.depth = main.counts[0] = deepest = 0;
        try {
            recursion.run();
        } catch (StackOverflowError expected) {
            // How deep it got is counted.
        }
        return main.depth + main.counts[0] + deepest;
    }

    private static void measure(String name, Main main, Runnable recursion) {
        for (int i = 0; i < WARM; i++) {
            main.left = SHALLOW;
            recursion.run();
        }
        main.left = Integer.MAX_VALUE;
        // The first may overflow in code that was never there before.
        System.out.println(name + " " + Math.max(measure(main, recursion), measure(main, recursion)));
    }

    private static void all(String thread) {
        Main main = new Main();
        Node ring = new Node();
        ring.next = ring;
        measure(thread + " fields", main, main::fields);
        measure(thread + " values", main, () -> main.values(0, 1, main));
        measure(thread + " locks", main, main::locks);
        measure(thread + " blocks", main, () -> main.blocks(main));
        measure(thread + " nodes", main, () -> main.sum(ring));
        measure(thread + " statics", main, () -> statics(0, main.left));
    }

    public static void main(String[] arguments) throws InterruptedException {
        all("main");
        Thread usual = new Thread(() -> all("usual"));
        usual.start();
        usual.join();
        // Larger than the one before, whose stack might be used again.
        Thread own = new Thread(null, () -> all("own"), "own", 2 << 20);
        own.start();
        own.join();
    }
}
