import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Parallel streams reduce, collect, sort and fill; the thread that asked sees all that the others did. */
public class Main {
    static final class Box {
        int value;
    }

    static Box box(int value) {
        Box box = new Box();
        box.value = value;
        return box;
    }

    public static void main(String[] arguments) {
        int[] array = new int[2000];
        IntStream.range(0, array.length).parallel().forEach(i -> array[i] = i);
        int sum = Arrays.stream(array).parallel().filter(i -> i % 2 == 0).sum();
        List<Box> boxes = Arrays.stream(array).parallel().mapToObj(Main::box).collect(Collectors.toList());
        sum += boxes.parallelStream().mapToInt(box -> box.value).max().getAsInt();
        Box total = boxes.parallelStream().collect(
                Box::new,
                (into, box) -> into.value += box.value,
                (into, other) -> into.value += other.value);
        ArrayList<Box> sorted = boxes.parallelStream()
                .sorted((one, two) -> Integer.compare(two.value, one.value))
                .collect(Collectors.toCollection(ArrayList::new));
        Arrays.parallelPrefix(array, Integer::sum);
        System.out.println(sum + " " + total.value + " " + sorted.get(0).value + " " + array[array.length - 1]);
    }
}
