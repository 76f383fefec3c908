import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** As many virtual threads as the second argument says, which do what the first one says; then two threads that race. */
public class Main {
    private final AtomicInteger done = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final BlockingQueue<int[]> queue = new ArrayBlockingQueue<>(64);
    private final CountDownLatch gate = new CountDownLatch(1);
    private int inMonitor;
    private int inLock;
    private int raced;

    void synchronize() throws InterruptedException {
        synchronized (this) {
            inMonitor++;
        }
        lock.lock();
        try {
            inLock++;
        } finally {
            lock.unlock();
        }
        queue.put(new int[1]);
        queue.take()[0]++;
        done.incrementAndGet();
    }

    void park() {
        LockSupport.parkNanos(1_000_000);
        done.incrementAndGet();
    }

    void waitForAll() throws InterruptedException {
        gate.await();
        done.incrementAndGet();
    }

    void race() {
        raced++; // race: reads writes raced
    }

    private void runShort(String what, int all) {
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < all; i++) {
                executor.submit(() -> {
                    switch (what) {
                        case "synchronize" -> synchronize();
                        case "park" -> park();
                        default -> done.incrementAndGet();
                    }
                    return null;
                });
            }
        }
    }

    private void runInWaves(int all) {
        for (int started = 0; started < all; started += 1000) {
            runShort("count", Math.min(1000, all - started));
        }
    }

    private void runAtOnce(int all) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < all; i++) {
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    waitForAll();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        gate.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    public static void main(String[] arguments) throws InterruptedException, IOException {
        String what = arguments[0];
        int all = Integer.parseInt(arguments[1]);
        Main main = new Main();
        if (what.equals("at-once")) {
            main.runAtOnce(all);
        } else if (what.equals("in-waves")) {
            main.runInWaves(all);
        } else {
            main.runShort(what, all);
        }
        Thread one = new Thread(main::race);
        Thread two = new Thread(main::race);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(main.done.get() + " " + (main.inMonitor == main.inLock));
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            lines.filter(line -> line.startsWith("VmHWM")).forEach(System.out::println);
        }
    }
}
