import java.util.ArrayList;
import java.util.List;

/** One thread adds to an ArrayList, another asks for its size. */
public class Main {
    private static final List<String> LIST = new ArrayList<>();

    static void add() {
        LIST.add("element"); // race: writes ArrayList
    }

    static int size() {
        return LIST.size(); // race: reads ArrayList
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread adder = new Thread(Main::add);
        adder.start();
        int seen = size();
        adder.join();
        System.out.println(seen < 2);
    }
}
