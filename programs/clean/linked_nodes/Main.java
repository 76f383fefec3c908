/** Objects made by one thread and read by another, handed over by a queue of the program's own. */
public class Main {
    static class Node {
        int value;
        Node next;
        double weight;
    }

    private Node first;
    private Node last;

    synchronized void put(Node node) {
        if (last == null) {
            first = node;
        } else {
            last.next = node;
        }
        last = node;
        notify();
    }

    synchronized Node take() throws InterruptedException {
        while (first == null) {
            wait();
        }
        Node node = first;
        first = node.next;
        if (first == null) {
            last = null;
        }
        return node;
    }

    void produce() {
        for (int i = 0; i < 1000; i++) {
            Node node = new Node();
            node.value = i;
            node.weight = i / 2.0;
            put(node);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main queue = new Main();
        new Thread(queue::produce).start();
        double sum = 0;
        for (int i = 0; i < 1000; i++) {
            Node node = queue.take();
            sum += node.value + node.weight;
            node.value = -1;
        }
        System.out.println(sum);
    }
}
