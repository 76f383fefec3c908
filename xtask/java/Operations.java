import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Nanoseconds of processor time per operation of java.util.concurrent, the best of some rounds: one line each. */
public class Operations {
    interface Work {
        void run(int times) throws Exception;
    }

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final VarHandle ELEMENTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static int sink;

    private static void measure(String name, int times, Work work) throws Exception {
        double best = Double.MAX_VALUE;
        for (int round = 0; round < 25; round++) {
            long start = THREADS.getCurrentThreadCpuTime();
            work.run(times);
            best = Math.min(best, (double) (THREADS.getCurrentThreadCpuTime() - start) / times);
        }
        System.out.println(name + "," + best);
    }

    static final class Fibonacci extends RecursiveTask<Integer> {
        private final int n;

        Fibonacci(int n) {
            this.n = n;
        }

        @Override
        protected Integer compute() {
            if (n < 2) {
                return n;
            }
            Fibonacci one = new Fibonacci(n - 1);
            one.fork();
            return new Fibonacci(n - 2).compute() + one.join();
        }
    }

    public static void main(String[] arguments) throws Exception {
        AtomicInteger atomic = new AtomicInteger();
        measure("AtomicInteger increment", 200_000, times -> {
            for (int i = 0; i < times; i++) {
                atomic.incrementAndGet();
            }
        });
        measure("AtomicInteger get", 200_000, times -> {
            int sum = 0;
            for (int i = 0; i < times; i++) {
                sum += atomic.get();
            }
            sink = sum;
        });
        int[] elements = new int[64];
        measure("VarHandle getAndAdd of an int[]", 200_000, times -> {
            for (int i = 0; i < times; i++) {
                int before = (int) ELEMENTS.getAndAdd(elements, i & 63, 1);
            }
        });
        ReentrantLock lock = new ReentrantLock();
        measure("ReentrantLock pair", 200_000, times -> {
            for (int i = 0; i < times; i++) {
                lock.lock();
                lock.unlock();
            }
        });
        ReentrantReadWriteLock both = new ReentrantReadWriteLock();
        measure("ReadLock pair", 200_000, times -> {
            for (int i = 0; i < times; i++) {
                both.readLock().lock();
                both.readLock().unlock();
            }
        });
        Object monitor = new Object();
        measure("synchronized block", 100_000, times -> {
            for (int i = 0; i < times; i++) {
                synchronized (monitor) {
                    sink = i;
                }
            }
        });
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        for (int i = 0; i < 64; i++) {
            map.put(i, i);
        }
        measure("ConcurrentHashMap get", 200_000, times -> {
            int sum = 0;
            for (int i = 0; i < times; i++) {
                sum += map.get(i & 63);
            }
            sink = sum;
        });
        measure("ConcurrentHashMap put", 200_000, times -> {
            for (int i = 0; i < times; i++) {
                map.put(i & 63, i & 127);
            }
        });
        LinkedBlockingQueue<Integer> blocking = new LinkedBlockingQueue<>();
        measure("LinkedBlockingQueue put and take", 100_000, times -> {
            for (int i = 0; i < times; i++) {
                blocking.put(i & 127);
                sink = blocking.take();
            }
        });
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        measure("ConcurrentLinkedQueue offer and poll", 100_000, times -> {
            for (int i = 0; i < times; i++) {
                queue.offer(i & 127);
                sink = queue.poll();
            }
        });
        // One worker, asked for processor time itself.
        ForkJoinPool pool = new ForkJoinPool(1);
        pool.submit(() -> {
            measure("ForkJoin task of Fibonacci", 21_891, times -> sink = new Fibonacci(20).compute());
            return null;
        }).get();
        pool.shutdown();
    }
}
