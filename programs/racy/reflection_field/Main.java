import java.lang.reflect.Field;

/** A field set, and another got, by reflection, against plain accesses. */
public class Main {
    private static int set;
    private int got;

    static void setByReflection(Field field) throws IllegalAccessException {
        field.setInt(null, 1); // race: writes set
    }

    static int readPlainly() {
        return set; // race: reads set
    }

    static void writePlainly(Main main) {
        main.got = 1; // race: writes got
    }

    static int getByReflection(Field field, Main main) throws IllegalAccessException {
        return (int) field.get(main); // race: reads got
    }

    public static void main(String[] arguments) throws Exception {
        Field set = Main.class.getDeclaredField("set");
        Field got = Main.class.getDeclaredField("got");
        Main main = new Main();
        // What this initializes would order the two.
        set.setInt(null, (int) got.get(main));
        Thread other = new Thread(() -> {
            try {
                setByReflection(set);
            } catch (IllegalAccessException unexpected) {
                throw new AssertionError(unexpected);
            }
            writePlainly(main);
        });
        other.start();
        int seen = readPlainly() + getByReflection(got, main);
        other.join();
        System.out.println(seen < 3);
    }
}
