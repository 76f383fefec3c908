import java.util.ArrayList;
import java.util.List;

/** One thread sets an element of an ArrayList that another gets: only the array inside is written. */
public class Main {
    private static final List<String> LIST = new ArrayList<>(List.of("old", "other"));

    static void set() {
        LIST.set(0, "new"); // race: writes ArrayList
    }

    static String get() {
        return LIST.get(0); // race: reads ArrayList
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread setter = new Thread(Main::set);
        setter.start();
        String seen = get();
        setter.join();
        System.out.println(seen.length());
    }
}
