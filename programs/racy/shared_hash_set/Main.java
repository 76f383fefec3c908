import java.util.HashSet;
import java.util.Set;

/** The map inside a HashSet is not what the program knows. */
public class Main {
    private static final Set<String> SET = new HashSet<>();

    static void add() {
        SET.add("key"); // race: writes HashSet
    }

    static boolean contains() {
        return SET.contains("key"); // race: reads HashSet
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread adder = new Thread(Main::add);
        adder.start();
        contains();
        adder.join();
        System.out.println(SET.size());
    }
}
