package zoo;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.Comparator;
import java.util.function.Supplier;

/** Default serialVersionUIDs, which shadow fields must not change. */
class Serial {
    static class Plain implements Serializable {
        int x;
        transient long y;
        private static int hidden;
        protected volatile String text;
        public final double d = 1;
    }

    public abstract static class Rich<T> implements Comparator<T>, Serializable, Cloneable {
        static int initialised = Integer.parseInt("3");
        protected T value;

        public Rich(T value, int[] numbers, String... rest) {
            this.value = value;
        }

        protected Rich() {}

        private Rich(long hidden) {}

        public static synchronized strictfp double compute(float of) {
            return of;
        }

        abstract Supplier<T> supplier();

        native void unbound();

        private void secret() {
            Supplier<T> made = () -> value;
            made.get();
        }
    }

    static final class Concrete extends Rich<String> {
        private Object state = "s";

        Concrete() {
            super("v", null);
        }

        Supplier<String> supplier() {
            return () -> value + state;
        }

        public int compare(String one, String two) {
            return one.compareTo(two);
        }
    }

    static class Declares implements Serializable {
        private static final long serialVersionUID = 42;
        int x = 3;
    }

    enum Kind implements Serializable {
        A, B;
        int uses;
    }

    private class Inner implements Serializable {
        int x;
    }

    static void run() throws Exception {
        Class<?>[] all = {Plain.class, Rich.class, Concrete.class, Declares.class, Kind.class, Inner.class};
        for (Class<?> each : all) {
            System.out.println(each.getName() + " " + ObjectStreamClass.lookup(each).getSerialVersionUID());
        }
        Kind.A.uses++;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObjectOutputStream out = new ObjectOutputStream(bytes);
        Declares declares = new Declares();
        declares.x = 8;
        Plain plain = new Plain();
        plain.text = "kept";
        out.writeObject(declares);
        out.writeObject(plain);
        out.writeObject(new Concrete());
        out.flush();
        System.out.println(java.util.Arrays.hashCode(bytes.toByteArray()));
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        System.out.println(((Declares) in.readObject()).x + ((Plain) in.readObject()).text
            + ((Concrete) in.readObject()).supplier().get());
    }
}
