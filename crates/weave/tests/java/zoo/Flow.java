package zoo;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Branches, switches, exceptions, wide locals, lambdas: whatever has an offset. */
class Flow {
    int state;
    static int steps;

    enum Colour { RED, GREEN, BLUE }

    int table(int key) {
        switch (key + state) {
            case 1: state++; return 10;
            case 2: state += 2;
            case 3: return 30;
            case 4: case 5: state = 0; break;
            default: state--;
        }
        return state;
    }

    int lookup(int key) {
        switch (key) {
            case -1000000: return state++;
            case 7: state = 1; break;
            case 1 << 20: return state * 2;
            case Integer.MAX_VALUE: state += 3; return state;
            default: steps++;
        }
        return steps;
    }

    String text(String key) {
        switch (key) {
            case "one": return "1" + state;
            case "two": state++; return "2";
            default: return key + steps++;
        }
    }

    int colour(Colour colour) {
        switch (colour) {
            case RED: return state++;
            case BLUE: return steps++;
            default: return -1;
        }
    }

    int finals(int way) {
        int before = state;
        try {
            state++;
            if (way == 0) {
                return state;
            }
            if (way == 1) {
                throw new IllegalStateException("one");
            }
            Object text = way == 2 ? "2" : Integer.valueOf(way);
            return ((String) text).length() + state;
        } catch (IllegalStateException | ClassCastException e) {
            state += 10;
            return e instanceof ClassCastException ? state : -state;
        } finally {
            steps += state - before;
        }
    }

    long wide(int seed) {
        long a0 = seed, a1 = a0 + 1, a2 = a1 + 2, a3 = a2 + 3, a4 = a3 + 4, a5 = a4 + 5, a6 = a5 + 6, a7 = a6 + 7;
        double b0 = a0, b1 = b0 + 1, b2 = b1 + 2, b3 = b2 + 3, b4 = b3 + 4, b5 = b4 + 5, b6 = b5 + 6, b7 = b6 + 7;
        for (int round = 0; round < 300; round += 200) {
            a0 += state++ + round;
        }
        int huge = 40000;
        huge += 1000;
        huge += 100000;
        return a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + (long) (b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7) + huge;
    }

    boolean conditions(Object one, Object two) {
        boolean same = one == two;
        boolean some = one != null && (two == null || one.equals(two)) || state > 3 && steps < 1000;
        float ratio = state / 3f;
        double exact = state / 3.0;
        return same ^ some && !(ratio > exact) | exact >= 0.5 & ratio != exact;
    }

    Object made(boolean which) {
        return new StringBuilder(which ? new String("yes" + state) : new String("no")).append(state++ > 0 ? 'p' : 'q');
    }

    static <T> List<T> build(int count, IntFunction<T> maker) {
        List<T> list = new ArrayList<>();
        for (int at = 0; at < count; at++) {
            list.add(maker.apply(at));
        }
        return list;
    }

    interface Shape {
        default String describe() {
            steps++;
            return "shape " + sides();
        }

        int sides();

        static Shape of(int sides) {
            return () -> sides;
        }
    }

    static int fibonacci(int n) {
        steps++;
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    static void run() {
        Flow flow = new Flow();
        for (int key = 0; key < 8; key++) {
            System.out.print(flow.table(key) + " ");
        }
        for (int key : new int[] {-1000000, 7, 1 << 20, Integer.MAX_VALUE, 3}) {
            System.out.print(flow.lookup(key) + " ");
        }
        System.out.println(flow.text("one") + flow.text("two") + flow.text("three"));
        for (Colour colour : Colour.values()) {
            System.out.print(flow.colour(colour) + " ");
        }
        for (int way = 0; way < 4; way++) {
            System.out.print(flow.finals(way) + " ");
        }
        System.out.println(flow.wide(3) + " " + flow.conditions("a", "a") + " " + flow.conditions(null, "b"));
        System.out.println(flow.made(true) + " " + flow.made(false));
        Supplier<Integer> captured = () -> flow.state++ + steps;
        System.out.println(build(3, at -> at + captured.get()) + " " + Shape.of(4).describe() + " " + fibonacci(10) + " "
            + steps);
    }
}
