import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

/** Copy on write: what was done to the original was not done to the copy. */
public class Main {
    static class Page implements Cloneable {
        int size;
        volatile int version;
        long[] keys = {1, 2, 3};

        Page copy() {
            try {
                return (Page) clone();
            } catch (CloneNotSupportedException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }

    static class Leaf extends Page {
        String value = "value";
    }

    enum Kind {
        ONE,
        TWO
    }

    static class Node extends ArrayList<String> {
        int depth;
    }

    static final AtomicReference<Leaf> ROOT = new AtomicReference<>(new Leaf());
    static final AtomicReference<HashMap<Integer, Integer>> MAP = new AtomicReference<>(new HashMap<>());
    static final AtomicReference<Node> NODES = new AtomicReference<>(new Node());

    static final NumberFormat NUMBERS = NumberFormat.getIntegerInstance(Locale.ROOT);
    static final EnumSet<Kind> KINDS = EnumSet.of(Kind.ONE);

    /** Copies that the JDK makes for its own subclasses. */
    static int use() {
        NumberFormat numbers = (NumberFormat) NUMBERS.clone();
        numbers.setGroupingUsed(false);
        EnumSet<Kind> kinds = KINDS.clone();
        kinds.add(Kind.TWO);
        return numbers.format(12345).length() + kinds.size();
    }

    static int read() {
        Leaf leaf = ROOT.get();
        Node node = NODES.get();
        return leaf.size + leaf.version + leaf.keys.length + leaf.value.length() + MAP.get().size() + node.size() + node.depth;
    }

    static void write() {
        for (Leaf old = ROOT.get(); ; old = ROOT.get()) {
            Leaf leaf = (Leaf) old.copy();
            leaf.size++;
            leaf.version++;
            leaf.keys = leaf.keys.clone();
            leaf.keys[0]++;
            leaf.value = leaf.value + leaf.size;
            if (ROOT.compareAndSet(old, leaf)) {
                break;
            }
        }
        for (HashMap<Integer, Integer> old = MAP.get(); ; old = MAP.get()) {
            // Not a BitSet: its clone() changes the original.
            @SuppressWarnings("unchecked")
            HashMap<Integer, Integer> map = (HashMap<Integer, Integer>) old.clone();
            map.put(map.size(), 1);
            if (MAP.compareAndSet(old, map)) {
                break;
            }
        }
        for (Node old = NODES.get(); ; old = NODES.get()) {
            Node node = (Node) old.clone();
            node.add("node");
            node.depth++;
            if (NODES.compareAndSet(old, node)) {
                break;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            boolean reads = i % 2 == 0;
            threads[i] = new Thread(() -> {
                for (int round = 0; round < 200; round++) {
                    use();
                    if (reads) {
                        read();
                    } else {
                        write();
                    }
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(ROOT.get().size + " " + MAP.get().size() + " " + NODES.get().size());
    }
}
