import java.util.ArrayDeque;
import java.util.Deque;

/** One thread adds to an ArrayDeque, another asks for its size. */
public class Main {
    private static final Deque<String> DEQUE = new ArrayDeque<>();

    static void add() {
        DEQUE.addLast("element"); // race: writes ArrayDeque
    }

    static int size() {
        return DEQUE.size(); // race: reads ArrayDeque
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread adder = new Thread(Main::add);
        adder.start();
        int seen = size();
        adder.join();
        System.out.println(seen < 2);
    }
}
