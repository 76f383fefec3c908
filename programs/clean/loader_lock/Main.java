import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;

/**
 * The JVM takes the monitor of a loader that cannot load in parallel before it calls `loadClass`. So two threads that link
 * instructions may share what such a loader keeps, though no instruction takes a lock.
 */
public class Main {
    private static final int ROUNDS = 20;

    public static class One {
        public final Object next = new Two();

        public static Object use() {
            return new One().next;
        }
    }

    public static class Two {}

    public static class Three {
        public final Object next = new Four();

        public static Object use() {
            return new Three().next;
        }
    }

    public static class Four {}

    /** What both kinds of loaders do, with what they keep. */
    abstract static class Counting extends ClassLoader {
        private final Map<String, Integer> asked = new HashMap<>();
        private int count;

        Counting() {
            super(Main.class.getClassLoader());
        }

        /** The class if it is one of ours, else null. */
        Class<?> own(String name) throws ClassNotFoundException {
            count++;
            asked.merge(name, 1, Integer::sum);
            if (name.startsWith("Main$One") || name.startsWith("Main$T") || name.startsWith("Main$Four")) {
                Class<?> known = findLoadedClass(name);
                return known != null ? known : define(name);
            }
            return null;
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = Main.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException failure) {
                throw new ClassNotFoundException(name, failure);
            }
        }

        synchronized int counted() {
            return count + asked.size();
        }
    }

    /** The JVM calls this method itself. */
    static class Outer extends Counting {
        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            Class<?> own = own(name);
            return own != null ? own : super.loadClass(name);
        }
    }

    /** The JVM calls the one of ClassLoader, and that this one. */
    static class Inner extends Counting {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> own = own(name);
            return own != null ? own : super.loadClass(name, resolve);
        }
    }

    static void use(Counting loader) throws Exception {
        Class<?>[] classes = {Class.forName("Main$One", false, loader), Class.forName("Main$Three", false, loader)};
        Thread[] users = new Thread[classes.length];
        for (int i = 0; i < users.length; i++) {
            Class<?> used = classes[i];
            users[i] = new Thread(() -> {
                try {
                    used.getMethod("use").invoke(null);
                } catch (ReflectiveOperationException unexpected) {
                    throw new AssertionError(unexpected);
                }
            });
        }
        for (Thread user : users) {
            user.start();
        }
        if (loader.counted() == 0) {
            throw new AssertionError("nothing was asked for");
        }
        for (Thread user : users) {
            user.join();
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            use(new Outer());
            use(new Inner());
        }
        System.out.println("loaded");
    }
}
