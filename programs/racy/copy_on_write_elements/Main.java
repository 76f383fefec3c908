import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The list is copied on every write, its elements are not. */
public class Main {
    static final class Box {
        int value;
    }

    private static final List<Box> LIST = new CopyOnWriteArrayList<>();

    static void add() {
        Box box = new Box();
        LIST.add(box);
        box.value = 1; // race: writes value
    }

    static int read() {
        while (LIST.isEmpty()) {
            Thread.onSpinWait();
        }
        return LIST.get(0).value; // race: reads value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread adder = new Thread(Main::add);
        adder.start();
        int seen = read();
        adder.join();
        System.out.println(seen < 2);
    }
}
