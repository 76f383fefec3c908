import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/** What reflection shows of woven classes, and of Thread. */
public class Main {
    int number;
    private static String text = "text";
    volatile long stamp;
    public double open;
    final int constant = 3;

    synchronized void method() {
        number++;
        text += number;
    }

    enum Kind {
        ONE;

        int uses;
    }

    record Pair(int one, String two) {
        static int made;
    }

    static class Derived extends Main {
        public int own;
    }

    static void show(Class<?> type) throws ReflectiveOperationException {
        Field[] fields = type.getDeclaredFields();
        Method[] methods = type.getDeclaredMethods();
        Arrays.sort(methods, (one, other) -> one.toString().compareTo(other.toString()));
        System.out.println(type + " " + Modifier.toString(type.getModifiers()));
        for (Field field : fields) {
            System.out.println("    " + field + (field.isSynthetic() ? " synthetic" : ""));
        }
        System.out.println("    " + Arrays.toString(type.getFields()));
        // Their order is not specified, and differs from run to run where a JVM sorts them by address.
        Object[] constructors = type.getDeclaredConstructors();
        Arrays.sort(constructors, (one, other) -> one.toString().compareTo(other.toString()));
        System.out.println("    " + Arrays.toString(methods) + Arrays.toString(constructors));
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        for (Class<?> type : new Class<?>[] {Main.class, Kind.class, Pair.class, Derived.class, Thread.class}) {
            show(type);
        }
        Main main = new Main();
        Field number = Main.class.getDeclaredField("number");
        number.setInt(main, 7);
        main.method();
        System.out.println(number.get(main) + text);
        for (String name : new String[] {"number$autodrome$rI", "autodrome$id"}) {
            try {
                Class<?> type = name.startsWith("n") ? Main.class : Thread.class;
                System.out.println(type.getDeclaredField(name));
            } catch (NoSuchFieldException expected) {
                System.out.println("no such field");
            }
        }
    }
}
