import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Arrays that only their method knows, and arrays that others may know. The test distinguishes them by their lengths: only the
 * former have a thousand elements or more.
 */
public class Confined {
    private static int own = 1000;
    private static int known = 10;
    private static int[] kept;
    private static final List<Object> LIST = new ArrayList<>();
    private int[] field;

    private static int[] given(int[] array) {
        array[0] = 1;
        return array;
    }

    private static int first(int[] array) {
        return array[0] + array[1];
    }

    private static int firstOf(int[] array, long wide, int[] other) {
        return first(array) + (int) wide + other[2];
    }

    private static int recursive(int[] array, int depth) {
        return depth == 0 ? array[3] : recursive(array, depth - 1);
    }

    private static void keeps(int[] array) {
        array[4] = 4;
        kept = array;
    }

    private static int reassigns(int[] array) {
        if (array[0] == 5) {
            array = kept;
        }
        return array[5];
    }

    private int ownMethod(double[] array) {
        return (int) array[1];
    }

    int overridable(int[] array) {
        return array[6];
    }

    static int throwing(int[] array) {
        try {
            array[7] = 1;
            return array[array.length];
        } catch (ArrayIndexOutOfBoundsException e) {
            return array[8];
        }
    }

    private static int local() {
        int[] histogram = new int[++own];
        for (int i = 0; i < 10; i++) {
            histogram[i * 7 % 10]++;
        }
        int most = histogram[0];
        for (int count : histogram) {
            most = Math.max(most, count);
        }
        long[] wide = new long[++own];
        wide[1] = most;
        wide[2] += 3;
        String[] names = {"a", "b"};
        Object[] objects = new Object[++own];
        objects[3] = names[1];
        return most + (int) wide[1] + objects.length + (histogram != null ? 1 : 0);
    }

    private static int twoPlaces(boolean is) {
        int[] either;
        if (is) {
            either = new int[++own];
        } else {
            either = new int[++own];
        }
        either[1] = 2;
        return either[1];
    }

    private static int passed() {
        int[] array = new int[++own];
        int[] other = new int[++own];
        array[1] = 6;
        return first(array) + firstOf(array, 1L << 33, other) + throwing(other);
    }

    private int passedToOwn() {
        double[] array = new double[++own];
        array[1] = 7;
        return ownMethod(array) + ownMethod(new double[] {1, 2});
    }

    private static int[] returned() {
        int[] array = new int[++known];
        array[1] = 1;
        return array;
    }

    private static int stored() {
        int[] array = new int[++known];
        array[1] = 1;
        kept = array;
        return array[2];
    }

    private int storedInField() {
        int[] array = new int[++known];
        field = array;
        array[1] = 1;
        return field[1];
    }

    private static int storedInArray(int[][] rows) {
        int[] array = new int[++known];
        rows[0] = array;
        array[3] = 3;
        return array[3];
    }

    private static int listed() {
        int[] array = new int[++known];
        LIST.add(array);
        return array[2];
    }

    private static int captured() throws InterruptedException {
        int[] array = new int[++known];
        IntSupplier supplier = () -> array[5]++;
        Thread thread = new Thread(supplier::getAsInt);
        thread.start();
        thread.join();
        return array[5];
    }

    private static int aliased() {
        int[] array = new int[++known];
        int[] other = array;
        kept = other;
        return array[6];
    }

    private static int mixed(int[] parameter, boolean is) {
        int[] array = new int[++known];
        if (is) {
            array = parameter;
        }
        array[7] = 7;
        return array[7];
    }

    private static int overwritten(int[] parameter) {
        parameter[1] = 3;
        parameter = new int[++known];
        parameter[8] = 8;
        return parameter[8];
    }

    private static int conditional(boolean is) {
        int[] array = is ? new int[++known] : new int[++known];
        array[9] = 9;
        return array[9];
    }

    private static int synchronizedOn() {
        int[] array = new int[++known];
        synchronized (array) {
            array[1] = 1;
        }
        return array[1];
    }

    private int escapingCalls() {
        int[] array = new int[++known];
        keeps(array);
        int[] second = new int[++known];
        int[] third = new int[++known];
        int[] fourth = new int[++known];
        int[] fifth = new int[++known];
        fifth[0] = 5;
        return given(second)[0] + recursive(third, 3) + overridable(fourth) + reassigns(fifth) + array[4];
    }

    private static int cloned() {
        int[] array = new int[++known];
        array[1] = 1;
        int[] copy = array.clone();
        return copy[1];
    }

    private static int cast() {
        int[] array = new int[++known];
        Object object = array;
        LIST.add((int[]) object);
        return array[2];
    }

    private static int thrown() {
        int[] array = new int[++known];
        try {
            array[1] = 1;
            throw new Carrier(array);
        } catch (Carrier carrier) {
            return carrier.array[1];
        }
    }

    private static final class Carrier extends RuntimeException {
        final int[] array;

        Carrier(int[] array) {
            this.array = array;
        }
    }

    private static int rows() {
        int[][] grid = new int[++known][3];
        grid[1][2] = 4;
        int[][] rows = new int[++own][];
        rows[0] = new int[++known];
        rows[0][1] = 5;
        return grid[1][2] + rows[0][1];
    }

    public static void main(String[] arguments) throws InterruptedException {
        Confined confined = new Confined();
        kept = new int[9];
        int sum = local() + twoPlaces(true) + twoPlaces(false) + passed() + confined.passedToOwn();
        sum += returned()[1] + stored() + confined.storedInField() + storedInArray(new int[2][]) + listed();
        sum += captured() + aliased() + mixed(returned(), true) + mixed(returned(), false) + overwritten(new int[7]);
        sum += conditional(true) + conditional(false) + synchronizedOn() + confined.escapingCalls() + cloned() + cast();
        sum += thrown() + rows();
        System.out.println(sum);
    }
}
