/** Balanced search trees (treaps), each under its monitor: short critical sections full of field accesses. */
public class LockedTree {
    private static final int TREES = 8;
    private static final int KEYS = 50_000;

    private static final class Node {
        int key;
        int priority;
        long count;
        Node left;
        Node right;
    }

    private static final class Tree {
        private Node root;
        private int size;

        synchronized void add(int key, int amount) {
            root = add(root, key, amount);
        }

        synchronized long count(int key) {
            Node node = root;
            while (node != null && node.key != key) {
                node = key < node.key ? node.left : node.right;
            }
            return node == null ? 0 : node.count;
        }

        synchronized long checksum() {
            return size + checksum(root);
        }

        private Node add(Node node, int key, int amount) {
            if (node == null) {
                Node made = new Node();
                made.key = key;
                made.priority = mix(key);
                made.count = amount;
                size++;
                return made;
            }
            if (key == node.key) {
                node.count += amount;
                return node;
            }
            if (key < node.key) {
                node.left = add(node.left, key, amount);
                return node.left.priority > node.priority ? rotateRight(node) : node;
            }
            node.right = add(node.right, key, amount);
            return node.right.priority > node.priority ? rotateLeft(node) : node;
        }

        private static Node rotateRight(Node node) {
            Node top = node.left;
            node.left = top.right;
            top.right = node;
            return top;
        }

        private static Node rotateLeft(Node node) {
            Node top = node.right;
            node.right = top.left;
            top.left = node;
            return top;
        }

        private static long checksum(Node node) {
            return node == null ? 0 : checksum(node.left) + 31 * checksum(node.right) + node.key * node.count;
        }
    }

    private static int mix(int number) {
        int mixed = number * 0x9e3779b9;
        mixed = (mixed ^ mixed >>> 15) * 0x85ebca6b;
        return mixed ^ mixed >>> 13;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Team team = Team.of(arguments);
        int operations = Team.scaled(arguments, 15_000_000);
        Tree[] trees = new Tree[TREES];
        for (int number = 0; number < TREES; number++) {
            trees[number] = new Tree();
        }
        team.run(rank -> {
            int end = team.from(rank + 1, operations);
            long seen = 0;
            for (int operation = team.from(rank, operations); operation < end; operation++) {
                int key = (mix(operation) >>> 1) % KEYS;
                Tree tree = trees[key % TREES];
                if (operation % 4 == 0) {
                    tree.add(key, operation % 100);
                } else {
                    seen += tree.count(key);
                }
            }
            if (seen < 0) {
                throw new IllegalStateException("counts are not negative");
            }
        });
        long total = 0;
        for (Tree tree : trees) {
            total = 31 * total + tree.checksum();
        }
        Team.tell(total);
    }
}
