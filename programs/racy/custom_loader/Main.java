import java.io.IOException;
import java.io.InputStream;

/** The racing class comes from a class loader of the program's own. */
public class Main {
    public static class Plugin implements Runnable {
        static int hits;

        @Override
        public void run() {
            hits++; // race: reads writes hits
        }
    }

    static class Loader extends ClassLoader {
        Loader() {
            super(null);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream in = Main.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException error) {
                throw new ClassNotFoundException(name, error);
            }
        }
    }

    public static void main(String[] arguments) throws ReflectiveOperationException, InterruptedException {
        Class<?> plugin = new Loader().loadClass("Main$Plugin");
        Thread one = new Thread((Runnable) plugin.getConstructor().newInstance());
        Thread two = new Thread((Runnable) plugin.getConstructor().newInstance());
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(plugin == Plugin.class);
    }
}
