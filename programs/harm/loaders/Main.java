import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.HashSet;
import java.util.Set;

/** Loads a class again and again, each time by a new loader, uses it and drops both: they must go. */
public class Main {
    public static class Loaded implements Runnable {
        static int all;
        static volatile int stamp;
        private int own;
        private final int[] numbers = new int[100];

        @Override
        public void run() {
            synchronized (this) {
                own++;
                all += own;
            }
            numbers[own]++;
            stamp = own;
            Runnable inner = () -> own++;
            inner.run();
        }
    }

    static class Loader extends ClassLoader {
        private final byte[] bytes;

        Loader(byte[] bytes) {
            super(Main.class.getClassLoader());
            this.bytes = bytes;
        }

        Class<?> load() {
            return defineClass("Main$Loaded", bytes, 0, bytes.length);
        }
    }

    public static void main(String[] arguments) throws Exception {
        byte[] bytes;
        try (InputStream in = Main.class.getResourceAsStream("Main$Loaded.class")) {
            bytes = in.readAllBytes();
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
        int loaders = Integer.parseInt(arguments[0]);
        ReferenceQueue<ClassLoader> gone = new ReferenceQueue<>();
        Set<Object> references = new HashSet<>();
        int collected = 0;
        for (int i = 0; i < loaders; i++) {
            Loader loader = new Loader(bytes);
            references.add(new PhantomReference<>(loader, gone));
            ((Runnable) loader.load().getDeclaredConstructor().newInstance()).run();
            for (Object reference = gone.poll(); reference != null; reference = gone.poll()) {
                references.remove(reference);
                collected++;
            }
        }
        for (int tries = 0; tries < 100 && collected < loaders - 1; tries++) {
            System.gc();
            for (Object reference = gone.remove(100); reference != null; reference = gone.remove(1)) {
                references.remove(reference);
                collected++;
            }
        }
        // The last one may still be on the stack.
        System.out.println(loaders + (collected >= loaders - 1 ? " all gone" : " only " + collected + " gone"));
    }
}
