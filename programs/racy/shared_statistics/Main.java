import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Stream;

/** Statistics and builders that two threads add to, and collections by the names that the program made them by. */
public class Main {
    private static final IntSummaryStatistics INTS = new IntSummaryStatistics();
    private static final LongSummaryStatistics LONGS = new LongSummaryStatistics();
    private static final DoubleSummaryStatistics DOUBLES = new DoubleSummaryStatistics();
    private static final Stream.Builder<String> BUILDER = Stream.builder();
    private static final Map<String, String> LINKED = new LinkedHashMap<>();
    private static final Map<String, String> MAP = new HashMap<>(Map.of("a", "b", "c", "d"));
    private static final Iterator<String> KEYS = MAP.keySet().iterator();
    private static final List<String> LIST = new ArrayList<>(List.of("a", "b", "c"));
    private static final List<String> WALKED = new ArrayList<>(List.of("a", "b", "c"));
    private static final Iterator<String> ELEMENTS = LIST.iterator();

    static void ints() {
        INTS.accept(1); // race: reads writes IntSummaryStatistics
    }

    static void longs() {
        LONGS.accept(1L); // race: reads writes LongSummaryStatistics
    }

    static void doubles() {
        DOUBLES.accept(1); // race: reads writes DoubleSummaryStatistics
    }

    static void builder() {
        BUILDER.add("text"); // race: reads writes Streams$StreamBuilderImpl
    }

    static void linked() {
        LINKED.put("key", "value"); // race: reads writes LinkedHashMap
    }

    static void keys() {
        KEYS.next(); // race: reads writes HashMap$KeyIterator
    }

    static void elements() {
        ELEMENTS.next(); // race: reads writes ArrayList$Itr
    }

    static void walk() {
        for (String element : WALKED) { // race: reads ArrayList
            element.length();
        }
    }

    static void grow() {
        WALKED.add("new"); // race: reads writes ArrayList
    }

    static void both(Runnable work) throws InterruptedException {
        both(work, work);
    }

    static void both(Runnable one, Runnable two) throws InterruptedException {
        Thread other = new Thread(one);
        other.start();
        Thread.sleep(10);
        two.run();
        other.join();
    }

    public static void main(String[] arguments) throws InterruptedException {
        both(Main::ints);
        both(Main::longs);
        both(Main::doubles);
        both(Main::builder);
        both(Main::linked);
        both(Main::keys);
        both(Main::elements);
        both(Main::walk, Main::grow);
        System.out.println("done");
    }
}
