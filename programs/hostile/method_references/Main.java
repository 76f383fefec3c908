import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The calls that race are made by classes that the JVM makes of method references, with addresses for names. */
public class Main {
    private static final List<Integer> LIST = new ArrayList<>();

    static void call(Consumer<Integer> consumer) {
        consumer.accept(1);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(() -> call(LIST::add));
        Thread other = new Thread(() -> List.of(1, 2).forEach(LIST::remove));
        one.start();
        other.start();
        one.join();
        other.join();
    }
}
