import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;

/** Readers walk a copy-on-write list and set while another thread adds. */
public class Main {
    static final class Box {
        int value;
    }

    private static final List<Box> LIST = new CopyOnWriteArrayList<>();
    private static final Set<Box> SET = new CopyOnWriteArraySet<>();
    private static final int COUNT = 50;

    static void add() {
        for (int i = 1; i <= COUNT; i++) {
            Box box = new Box();
            box.value = i;
            LIST.add(box);
            SET.add(box);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread adder = new Thread(Main::add);
        adder.start();
        int sum = 0;
        while (SET.size() < COUNT) {
            sum = 0;
            for (Box box : LIST) {
                sum += box.value;
            }
        }
        sum = 0;
        for (Box box : LIST) {
            sum += box.value;
        }
        for (Box box : SET) {
            sum += box.value;
        }
        adder.join();
        System.out.println(sum);
    }
}
