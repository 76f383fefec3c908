/** Inputs in fields, elements, boxes, a captured value and a list of objects, from one thread to another and back. */
import java.util.ArrayList;
import java.util.List;

public class Main {
    static final class Pair {
        final int left;
        Integer right;

        Pair(int left, Integer right) {
            this.left = left;
            this.right = right;
        }
    }

    static int result;

    public static void main(String[] args) throws Exception {
        int[] values = new int[2];
        for (int i = 0; i < 2; i++) {
            values[i] = Integer.parseInt(args[i]);
        }
        List<Pair> list = new ArrayList<>();
        list.add(new Pair(values[0], values[1]));
        Thread t = new Thread() {
            @Override
            public void run() {
                Pair p = list.get(0);
                result = p.left - p.right;
            }
        };
        t.start();
        t.join();
        assert result != 1234567;
    }
}
