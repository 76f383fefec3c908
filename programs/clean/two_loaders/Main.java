import java.io.IOException;
import java.io.InputStream;

/** Two classes of one name, from two loaders: their static fields, plain and volatile, are not the same. */
public class Main {
    public static class Plugin implements Runnable {
        static int hits;
        static volatile int stamp;
        int own;

        @Override
        public void run() {
            for (int i = 0; i < 100; i++) {
                hits++;
                stamp++;
                own++;
            }
        }

        @Override
        public String toString() {
            return hits + " " + stamp + " " + own;
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
        Runnable one = (Runnable) new Loader().loadClass("Main$Plugin").getConstructor().newInstance();
        Runnable two = (Runnable) new Loader().loadClass("Main$Plugin").getConstructor().newInstance();
        Thread first = new Thread(one);
        Thread second = new Thread(two);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(one + ", " + two);
    }
}
