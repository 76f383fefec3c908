import java.io.IOException;
import java.io.InputStream;

/** The JVM takes no monitor of a loader that can load in parallel, so what such a loader keeps has no lock. */
public class Main {
    public static class One {
        public static Object use() {
            return new Two();
        }
    }

    public static class Two {}

    public static class Three {
        public static Object use() {
            return new Four();
        }
    }

    public static class Four {}

    static class Loader extends ClassLoader {
        static {
            registerAsParallelCapable();
        }

        private int count;

        Loader() {
            super(Main.class.getClassLoader());
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            if (name.startsWith("Main$One") || name.startsWith("Main$T") || name.startsWith("Main$Four")) {
                return own(name);
            }
            return super.loadClass(name);
        }

        private Class<?> own(String name) throws ClassNotFoundException {
            count++; // race: reads count writes count
            try (InputStream in = Main.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException failure) {
                throw new ClassNotFoundException(name, failure);
            }
        }
    }

    static Thread user(Class<?> used) {
        return new Thread(() -> {
            try {
                used.getMethod("use").invoke(null);
            } catch (ReflectiveOperationException unexpected) {
                throw new AssertionError(unexpected);
            }
        });
    }

    public static void main(String[] arguments) throws Exception {
        Loader loader = new Loader();
        Thread one = user(Class.forName("Main$One", false, loader));
        Thread two = user(Class.forName("Main$Three", false, loader));
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("loaded");
    }
}
