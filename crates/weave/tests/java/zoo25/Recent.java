package zoo;

import java.lang.invoke.VarHandle;
import java.time.Duration;

/** What newer languages add: records, sealed types, patterns, statements before super(). */
class Recent {
    record Point(int x, int y) {
        static int made;

        Point {
            made++;
            if (x < 0) {
                throw new IllegalArgumentException("x");
            }
        }
    }

    sealed interface Node permits Leaf, Pair {}

    record Leaf(Object value) implements Node {}

    record Pair(Node left, Node right) implements Node {}

    static int size(Node node) {
        Point.made++;
        return switch (node) {
            case Leaf(Integer number) when number > 3 -> number;
            case Leaf leaf -> 1;
            case Pair(Leaf(String text), var right) -> text.length() + size(right);
            case Pair pair -> size(pair.left()) + size(pair.right());
        };
    }

    static class Early extends Recent {
        int before;
        long wide;
        volatile int open;
        Object other;

        Early(int given, Early peer) {
            before = given * 2;
            wide = given;
            open = given;
            if (given > 2) {
                other = new Object();
            } else {
                other = new StringBuilder("few" + given);
            }
            super();
            before++;
            wide += before + open;
        }
    }

    /** Fences for the receiver, and one for any location. */
    static class Fenced {
        private long value;

        void set(long to) {
            VarHandle.releaseFence();
            value = to;
        }

        long get() {
            long seen = value;
            VarHandle.acquireFence();
            return seen;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread thread = new Thread(() -> Point.made++);
        thread.start();
        System.out.println(thread.join(Duration.ofDays(1)));
        Fenced fenced = new Fenced();
        fenced.set(7);
        VarHandle.fullFence();
        System.out.println(fenced.get());
        System.out.println(size(new Pair(new Leaf("abc"), new Pair(new Leaf(7), new Leaf(2)))) + " " + new Point(1, 2));
        for (int given = 0; given < 4; given++) {
            Early early = new Early(given, null);
            System.out.println(early.before + " " + early.wide + " " + (early.other instanceof StringBuilder));
        }
        System.out.println(Point.made);
    }
}
