import java.util.LinkedList;

/** One thread adds to a LinkedList, another looks at its first element. */
public class Main {
    private static final LinkedList<String> LIST = new LinkedList<>();

    static void add() {
        LIST.add("element"); // race: writes LinkedList
    }

    static String peek() {
        return LIST.peekFirst(); // race: reads LinkedList
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread adder = new Thread(Main::add);
        adder.start();
        peek();
        adder.join();
        System.out.println(LIST.size());
    }
}
