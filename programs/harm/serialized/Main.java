import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;

/** Objects of classes that declare a serialVersionUID and that do not: what a watched JVM writes, a plain one reads. */
public class Main {
    static class Base implements Serializable {
        protected int number = 5;
        private static int made;

        Base() {
            made++;
        }
    }

    static class Derived extends Base {
        private String text = "text";
        transient long skipped = 3;
        volatile double real = 0.5;
        final Base other = new Base();

        synchronized String tell() {
            return number + text + skipped + real + other.number;
        }
    }

    enum Kind {
        ONE
    }

    static class Declared implements Serializable {
        private static final long serialVersionUID = 42;
        int one = 1;
        transient volatile int skipped;
        Object[] array = {"a", 2};
    }

    record Pair(Kind kind, int size) implements Serializable {}

    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        for (Class<?> type : new Class<?>[] {Base.class, Derived.class, Declared.class, Pair.class}) {
            ObjectStreamClass stream = ObjectStreamClass.lookup(type);
            System.out.println(stream + " " + java.util.Arrays.toString(stream.getFields()));
        }
        if (arguments[0].equals("write")) {
            try (ObjectOutputStream out = new ObjectOutputStream(new FileOutputStream(arguments[1]))) {
                out.writeObject(new Derived());
                out.writeObject(new Pair(Kind.ONE, 2));
                out.writeObject(new Declared());
            }
        } else {
            try (ObjectInputStream in = new ObjectInputStream(new FileInputStream(arguments[1]))) {
                System.out.println(((Derived) in.readObject()).tell() + in.readObject());
                Declared declared = (Declared) in.readObject();
                System.out.println(declared.one + declared.skipped + " " + declared.array.length);
            }
        }
    }
}
