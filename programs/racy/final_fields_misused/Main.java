import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Objects with final fields are published by a race, and used in ways that final fields do not make safe. */
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
                pause();
            }
            return seen;
        }
    }

    static void pause() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static class Cell {
        int value;
    }

    /** Written by the thread that published it. */
    static final class Mutated {
        final int[] numbers = new int[4];

        void change() {
            numbers[0] = 7; // race: writes []
        }

        int look() {
            return numbers[0]; // race: reads []
        }
    }

    static final class MutatedMap {
        final Map<String, String> map = new HashMap<>();

        void change() {
            map.put("a", "b"); // race: writes HashMap
        }

        int look() {
            return map.size(); // race: reads HashMap
        }
    }

    /** Known to others before its constructor ends. */
    static final class Escaped {
        final Cell cell = new Cell();

        Escaped(Slot<Escaped> slot) {
            slot.publish(this);
            pause();
            fill();
        }

        void fill() {
            cell.value = 1; // race: writes value
        }

        int look() {
            return cell.value; // race: reads value
        }
    }

    /** The same, read only after its constructor has ended: who has it from before has no order. */
    static final class EscapedEarly {
        final Cell cell = new Cell();

        EscapedEarly(Slot<EscapedEarly> slot) {
            fill();
            slot.publish(this);
        }

        void fill() {
            cell.value = 2; // race: writes value
        }

        int look() {
            pause();
            pause();
            pause();
            return cell.value; // race: reads value
        }
    }

    /** Its cell is in a field that is not final, too. */
    static final class TwoWays {
        final Cell cell = new Cell();
        static Cell other;

        TwoWays() {
            fill();
            other = cell; // race: writes other
        }

        void fill() {
            cell.value = 3; // race: writes value
        }

        static int look() {
            Cell seen;
            while ((seen = other) == null) { // race: reads other
                pause();
            }
            return seen.value; // race: reads value
        }
    }

    /** A field that is not final. */
    static final class NotFinal {
        Cell cell = new Cell(); // race: writes cell

        NotFinal() {
            cell.value = 4; // race: writes value
        }

        int look() {
            return cell.value; // race: reads cell, value
        }
    }

    static class Base {
        final List<String> names = new ArrayList<>();
    }

    /** The constructor of the superclass has ended when this one writes. */
    static final class Sub extends Base {
        Sub() {
            names.add("late"); // race: writes ArrayList
        }

        int look() {
            return names.size(); // race: reads ArrayList
        }
    }

    static <T> void race(Consumer<Slot<T>> write, Consumer<T> read) throws InterruptedException {
        Slot<T> slot = new Slot<>();
        Thread reader = new Thread(() -> read.accept(slot.await()));
        Thread writer = new Thread(() -> write.accept(slot));
        reader.start();
        writer.start();
        reader.join();
        writer.join();
    }

    public static void main(String[] arguments) throws InterruptedException {
        // Something is published by a race and used rightly, so that races behind final fields are looked into at all.
        Main.<int[]>race(slot -> slot.publish(new int[0]), it -> {});
        Main.<Mutated>race(slot -> {
            Mutated it = new Mutated();
            slot.publish(it);
            it.change();
        }, it -> {
            pause();
            it.look();
        });
        Main.<MutatedMap>race(slot -> {
            MutatedMap it = new MutatedMap();
            slot.publish(it);
            it.change();
        }, it -> {
            pause();
            it.look();
        });
        Main.<Escaped>race(Escaped::new, Escaped::look);
        Main.<EscapedEarly>race(EscapedEarly::new, EscapedEarly::look);
        Main.<TwoWays>race(slot -> slot.publish(new TwoWays()), it -> TwoWays.look());
        Main.<NotFinal>race(slot -> slot.publish(new NotFinal()), NotFinal::look);
        Main.<Sub>race(slot -> slot.publish(new Sub()), Sub::look);
        System.out.println("done");
    }
}
