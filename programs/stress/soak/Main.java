import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lives for the seconds of its first argument, and for as many rounds as the second one says if there is one. All that it makes is
 * short-lived: threads of both kinds, classes and their loaders, arrays, locks, volatile fields. After each round it says what
 * memory its process has, in kB.
 */
public class Main {
    private static final int THREADS = 4;
    private static final int OBJECTS = 500;

    public static class Loaded implements Runnable {
        static int all;
        static volatile int stamp;
        private int own;
        private final int[] numbers = new int[100];

        @Override
        public void run() {
            synchronized (this) {
                all += ++own;
            }
            numbers[own]++;
            stamp = own;
            Runnable inner = () -> own++;
            inner.run();
        }
    }

    private static final class Loader extends ClassLoader {
        Loader() {
            super(Main.class.getClassLoader());
        }

        Class<?> define(byte[] bytes) {
            return defineClass("Main$Loaded", bytes, 0, bytes.length);
        }
    }

    private static final class Box {
        volatile int stamp;
        int value;
    }

    private final Map<Integer, Integer> guarded = new HashMap<>();
    private final Map<Integer, int[]> concurrent = new ConcurrentHashMap<>();
    private final BlockingQueue<Object[]> handed = new ArrayBlockingQueue<>(8);
    private final byte[] bytes;
    private int sum;
    /** The one race. */
    private static int raced;

    private Main() throws IOException {
        try (InputStream in = Main.class.getResourceAsStream("Main$Loaded.class")) {
            bytes = in.readAllBytes();
        }
    }

    private void produce(int rank, int round) throws InterruptedException {
        raced++;
        for (int i = 0; i < OBJECTS; i++) {
            Object monitor = new Object();
            ReentrantLock lock = new ReentrantLock();
            Box box = new Box();
            lock.lock();
            synchronized (monitor) {
                box.value = i;
                box.stamp = round;
            }
            lock.unlock();
            int[] array = new int[i % 64 + 1];
            array[i % array.length] = i;
            concurrent.put((rank * OBJECTS + i) % 100, array);
            synchronized (guarded) {
                guarded.merge(i % 100, box.value + box.stamp, Integer::sum);
            }
            handed.put(new Object[] {box, array, new byte[i * 10]});
        }
    }

    private void consume() throws InterruptedException {
        for (int i = 0; i < THREADS / 2 * OBJECTS; i++) {
            Object[] parts = handed.take();
            int[] array = (int[]) parts[1];
            byte[] large = (byte[]) parts[2];
            for (int j = 0; j < large.length; j += 100) {
                large[j]++;
            }
            sum += ((Box) parts[0]).value + array[array.length - 1];
        }
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static Runnable all(Work work) {
        return () -> {
            try {
                work.run();
            } catch (InterruptedException impossible) {
                throw new AssertionError(impossible);
            }
        };
    }

    private void round(int round, Method virtual) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS / 2; i++) {
            int rank = i;
            threads.add(new Thread(all(() -> produce(rank, round))));
        }
        threads.add(new Thread(all(this::consume)));
        threads.forEach(Thread::start);
        for (int i = 0; i < 5; i++) {
            ((Runnable) new Loader().define(bytes).getDeclaredConstructor().newInstance()).run();
        }
        for (int i = 0; i < 10 && virtual != null; i++) {
            int key = i;
            Runnable light = () -> concurrent.put(key, new int[] {key});
            threads.add((Thread) virtual.invoke(null, light));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static String memory() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return line.split("\\s+")[1];
            }
        }
        return "0";
    }

    private static Method virtual() {
        try {
            return Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException older) {
            return null;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Main main = new Main();
        Method virtual = virtual();
        long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000_000L;
        int least = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 0;
        for (int round = 0; round < least || System.nanoTime() < end; round++) {
            main.round(round, virtual);
            System.out.println(memory());
        }
    }
}
