/** The messages of NullPointerException name what was null by looking at the code around it. */
public class Main {
    static class Node {
        Node next;
        long wide;
        double[] numbers;
        String text;
        volatile Node last;
        static Node root;
        static volatile Node other;

        Node next() {
            return next;
        }
    }

    interface Action {
        Object run();
    }

    static void tell(Action action) {
        try {
            System.out.println(action.run());
        } catch (NullPointerException thrown) {
            System.out.println(thrown.getMessage());
        }
    }

    static long sum(Node one, Node two, int index) {
        return one.wide + two.next.wide + index;
    }

    static Object set(Node node, long wide, Node next) {
        node.next.next.wide = wide + 1;
        node.next.next = next;
        return node;
    }

    static Object lock(Node node) {
        synchronized (node.next) {
            return node.next;
        }
    }

    public static void main(String[] arguments) {
        Node node = new Node();
        Node none = null;
        Node[] nodes = new Node[2];
        tell(() -> node.next.wide);
        tell(() -> node.next().next);
        tell(() -> node.next().wide = 3);
        tell(() -> node.numbers[1]);
        tell(() -> node.numbers[(int) node.wide] += 1.5);
        tell(() -> node.text.length());
        tell(() -> node.last.last.text);
        tell(() -> node.last.wide++);
        tell(() -> Node.root.next);
        tell(() -> Node.root.wide = 4);
        tell(() -> Node.other.next);
        tell(() -> Node.other.last = node);
        tell(() -> nodes[1].next);
        tell(() -> nodes[1].wide = node.wide);
        tell(() -> none.text);
        tell(() -> sum(node, node, 3));
        tell(() -> sum(none, node, 3));
        tell(() -> set(node, 5, none));
        tell(() -> set(none, 5, none));
        tell(() -> lock(node));
        tell(() -> lock(none));
    }
}
