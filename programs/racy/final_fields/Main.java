import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Objects are published by a race. What their final fields reach is seen as it was when the constructor ended (JLS 17.5.1): only
 * the publication itself is a race.
 */
public class Main {
    /** Publishes by a race. */
    static final class Slot<T> {
        private T value;

        void publish(T value) {
            this.value = value; // race: writes value
        }

        T await() {
            T seen;
            while ((seen = value) == null) { // race: reads value
                try {
                    Thread.sleep(1);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return seen;
        }
    }

    /** Whose fields are not final. */
    static class Point {
        int x;
        int y;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }

        int sum() {
            return x + y;
        }
    }

    static final class OfArray {
        final int[] numbers = new int[8];

        OfArray() {
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = i;
            }
            numbers[3] = 40;
        }
    }

    static class OfList {
        final List<String> names = new ArrayList<>();

        OfList() {
            names.add("one");
            names.add("two");
        }
    }

    static final class OfMaps {
        final Map<String, Point> hashed = new HashMap<>();
        final Map<Integer, Point> sorted = new TreeMap<>();
        final List<Point> linked = new LinkedList<>();

        OfMaps() {
            for (int i = 0; i < 9; i++) {
                hashed.put("key" + i, new Point(i, i));
                sorted.put(i, new Point(i, -i));
            }
            linked.add(new Point(1, 2));
            linked.add(new Point(3, 4));
        }
    }

    static final class Nested {
        final Map<String, List<Point>> deep;

        Nested() {
            Map<String, List<Point>> map = new HashMap<>();
            List<Point> points = new ArrayList<>();
            points.add(new Point(1, 2));
            map.put("points", points);
            deep = map;
        }
    }

    /** The constructor of each class freezes the fields of that class. */
    static final class Sub extends OfList {
        final Map<String, String> more = new HashMap<>();

        Sub() {
            more.put("a", "b");
        }
    }

    enum Color {
        RED;

        final List<String> names = new ArrayList<>();

        Color() {
            names.add("red");
        }
    }

    record Both(List<Point> points, int[] numbers) {
        Both {
            points = new ArrayList<>(points);
            numbers = numbers.clone();
            numbers[0]++;
        }
    }

    static final class Built {
        final List<Point> points;

        private Built(Builder builder) {
            points = builder.points;
        }

        static final class Builder {
            private final List<Point> points = new ArrayList<>();

            Builder with(int x) {
                points.add(new Point(x, x));
                return this;
            }

            Built build() {
                return new Built(this);
            }
        }
    }

    static final class Given {
        final Point point;

        Given(Point point) {
            this.point = point;
        }
    }

    static final class Copied implements Cloneable {
        final int[] numbers = {1, 2, 3};

        Copied copy() {
            try {
                return (Copied) clone();
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Its children know it before its constructor ends, but nobody else has them. */
    static final class Parent {
        final List<Child> children = new ArrayList<>();

        Parent() {
            children.add(new Child(this));
            children.get(0).age = 7;
        }
    }

    static final class Child {
        Parent parent;
        int age;

        Child(Parent parent) {
            this.parent = parent;
        }
    }

    /** Inner objects have the outer one in a final field. */
    static final class Outer {
        int base;

        Outer(int base) {
            this.base = base;
        }

        final class Inner {
            int get() {
                return base;
            }
        }
    }

    static <T> void race(Supplier<T> make, Consumer<T> use) throws InterruptedException {
        Slot<T> slot = new Slot<>();
        Thread reader = new Thread(() -> use.accept(slot.await()));
        Thread writer = new Thread(() -> slot.publish(make.get()));
        reader.start();
        writer.start();
        reader.join();
        writer.join();
    }

    static int total;

    static synchronized void add(int number) {
        total += number;
    }

    static Given byReflection() {
        try {
            return Given.class.getDeclaredConstructor(Point.class).newInstance(new Point(5, 6));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static Both both() {
        List<Point> points = new ArrayList<>();
        points.add(new Point(1, 1));
        return new Both(points, new int[] {1, 2});
    }

    static Given filledByAnother() {
        Point point = new Point(1, 2);
        Thread filler = new Thread(() -> point.x = 20);
        filler.start();
        try {
            filler.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return new Given(point);
    }

    static Supplier<Integer> anonymous() {
        Point point = new Point(7, 8);
        return new Supplier<>() {
            @Override
            public Integer get() {
                return point.sum();
            }
        };
    }

    static List<Point> unmodifiable() {
        List<Point> points = new ArrayList<>();
        points.add(new Point(1, 1));
        return Collections.unmodifiableList(points);
    }

    public static void main(String[] arguments) throws InterruptedException {
        race(OfArray::new, it -> add(it.numbers[3]));
        race(OfList::new, it -> add(it.names.get(1).length()));
        race(OfMaps::new, it -> {
            add(it.hashed.get("key7").sum());
            add(it.sorted.get(7).x);
            add(it.linked.get(1).sum());
        });
        race(Nested::new, it -> add(it.deep.get("points").get(0).sum()));
        race(Sub::new, it -> add(it.names.size() + it.more.size()));
        race(() -> Color.RED, it -> add(it.names.get(0).length()));
        race(Main::both, it -> add(it.points().get(0).sum() + it.numbers()[0]));
        race(() -> new Built.Builder().with(1).with(2).build(), it -> add(it.points.get(1).sum()));
        race(() -> new Given(new Point(3, 4)), it -> add(it.point.sum()));
        race(Main::byReflection, it -> add(it.point.sum()));
        race(() -> new Copied().copy(), it -> add(it.numbers[2]));
        race(Parent::new, it -> add(it.children.get(0).parent.children.get(0).age));
        race(() -> new Outer(9).new Inner(), it -> add(it.get()));
        race(Main::anonymous, it -> add(it.get()));
        race(Main::filledByAnother, it -> add(it.point.x));
        race(() -> List.of(new Point(1, 2)), it -> add(it.get(0).sum()));
        race(() -> List.of(new Point(1, 2), new Point(2, 3), new Point(3, 4)), it -> add(it.get(2).sum()));
        race(() -> Map.of("a", new Point(1, 2)), it -> add(it.get("a").sum()));
        race(() -> Map.of("a", new Point(1, 2), "b", new Point(2, 3)), it -> add(it.get("b").sum()));
        race(() -> Optional.of(new Point(4, 4)), it -> add(it.get().sum()));
        race(Main::unmodifiable, it -> add(it.get(0).sum()));
        System.out.println(total);
    }
}
