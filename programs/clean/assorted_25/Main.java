import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Joiner;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Gatherers;

/** Scoped values, joiners, gatherers, and many virtual threads that wait in every way. */
public class Main {
    private static final int TIMES = 20;
    private static final ScopedValue<Box> SCOPED = ScopedValue.newInstance();

    static class Box {
        int value;
        final int[] cells = new int[4];

        void set(int next) {
            value = next;
            cells[next & 3] = next;
        }

        int get() {
            return value + cells[value & 3];
        }
    }

    interface Step {
        void run() throws Exception;
    }

    static Thread start(Step step) {
        return Thread.ofVirtual().start(() -> {
            try {
                step.run();
            } catch (Throwable unexpected) {
                unexpected.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        });
    }

    static void scopedValues() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            Box outer = new Box();
            outer.set(i);
            ScopedValue.where(SCOPED, outer).call(() -> {
                SCOPED.get().set(1);
                try (var scope = StructuredTaskScope.open()) {
                    var bound = scope.fork(() -> {
                        Box inner = new Box();
                        inner.set(SCOPED.get().get());
                        return ScopedValue.where(SCOPED, inner).call(() -> {
                            SCOPED.get().set(3);
                            return SCOPED.get();
                        });
                    });
                    scope.fork(() -> SCOPED.get().get());
                    scope.join();
                    bound.get().set(4);
                    outer.set(5);
                    return outer;
                }
            });
            outer.get();
        }
    }

    static void joiners() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            Box given = new Box();
            given.set(2);
            try (var scope = StructuredTaskScope.open(Joiner.<Box>anySuccessfulResultOrThrow())) {
                for (int task = 0; task < 2; task++) {
                    scope.fork(() -> {
                        Box made = new Box();
                        made.set(given.get());
                        return made;
                    });
                }
                scope.join().set(3);
            }
            Box failed = new Box();
            Box late = new Box();
            try (var scope = StructuredTaskScope.open(Joiner.<Box>awaitAll())) {
                scope.fork(() -> {
                    failed.set(1);
                    throw new IllegalStateException("meant");
                });
                scope.join();
                failed.get();
            }
            try (var scope = StructuredTaskScope.open(
                    Joiner.<Box>awaitAll(), options -> options.withTimeout(Duration.ofMillis(1)))) {
                scope.fork(() -> {
                    late.set(1);
                    Thread.sleep(Duration.ofDays(1));
                    return late;
                });
                scope.join();
            } catch (StructuredTaskScope.TimeoutException expected) {
                late.get();
            }
        }
    }

    static void gatherers() {
        List<Box> boxes = new ArrayList<>();
        for (int i = 0; i < 5 * TIMES; i++) {
            boxes.add(new Box());
        }
        boxes.stream().gather(Gatherers.mapConcurrent(4, box -> {
            box.set(box.value + 1);
            return box;
        })).forEach(box -> box.set(2));
        boxes.parallelStream().gather(Gatherers.windowFixed(3)).forEach(some -> some.forEach(box -> box.set(3)));
        boxes.forEach(box -> box.set(4));
    }

    static void virtualThreads() throws Exception {
        int many = 10 * TIMES;
        Box locked = new Box();
        Box guarded = new Box();
        Box[] own = new Box[many];
        ReentrantLock lock = new ReentrantLock();
        Object monitor = new Object();
        Semaphore semaphore = new Semaphore(3);
        CountDownLatch done = new CountDownLatch(many);
        for (int i = 0; i < many; i++) {
            Box box = new Box();
            own[i] = box;
            start(() -> {
                box.set(1);
                semaphore.acquire();
                lock.lock();
                locked.set(locked.value + 1);
                lock.unlock();
                Thread.sleep(0, 100_000);
                synchronized (monitor) {
                    guarded.set(guarded.value + 1);
                    monitor.wait(0, 100_000);
                    guarded.get();
                }
                semaphore.release();
                box.set(2);
                done.countDown();
            });
        }
        done.await();
        for (Box box : own) {
            box.get();
        }
        Exchanger<Box> exchanger = new Exchanger<>();
        Step swap = () -> {
            Box mine = new Box();
            for (int i = 0; i < TIMES; i++) {
                mine.set(i);
                mine = exchanger.exchange(mine);
                mine.get();
            }
        };
        Thread one = start(swap);
        Thread two = start(swap);
        one.join();
        two.join();
        Box ended = new Box();
        Thread setter = start(() -> ended.set(4));
        while (setter.getState() != Thread.State.TERMINATED) {
            Thread.onSpinWait();
        }
        ended.get();
        try (var executor = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("task", 0).factory())) {
            Future<Box> future = executor.submit(() -> {
                ended.set(5);
                return ended;
            });
            while (future.state() == Future.State.RUNNING) {
                Thread.sleep(1);
            }
            future.resultNow().set(6);
        }
    }

    /** Several segments are the same memory. */
    static void segments() throws Exception {
        VarHandle ints = ValueLayout.JAVA_INT.varHandle();
        for (int i = 0; i < TIMES; i++) {
            Box first = new Box();
            Box second = new Box();
            try (Arena arena = Arena.ofShared()) {
                MemorySegment whole = arena.allocate(64, 8);
                MemorySegment part = whole.asSlice(8, 16);
                MemorySegment again = MemorySegment.ofAddress(whole.address()).reinterpret(64);
                Thread one = start(() -> {
                    first.set(1);
                    ints.setRelease(whole, 8L, 1);
                    second.set(1);
                    ints.setVolatile(again, 24L, 1);
                });
                Thread two = start(() -> {
                    while ((int) ints.getAcquire(part, 0L) == 0) {
                        Thread.yield();
                    }
                    first.get();
                    while (!ints.compareAndSet(whole.asSlice(24), 0L, 1, 2)) {
                        Thread.yield();
                    }
                    second.get();
                });
                one.join();
                two.join();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        scopedValues();
        joiners();
        gatherers();
        virtualThreads();
        segments();
        System.out.println("done");
    }
}
