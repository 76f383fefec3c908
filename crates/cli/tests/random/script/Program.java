package script;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** A generated program: what each of its threads does. */
public abstract class Program {
    /** Whose thread this is; the first one is the driver's. */
    public final Thread w0 = Thread.currentThread();

    public final Thread w1 = new Worker(this, 1);
    public final Thread w2 = new Worker(this, 2);
    public final Thread w3 = new Worker(this, 3);
    public final Thread w4 = new Worker(this, 4);

    /** Makes the threads of pools. */
    public static final ThreadFactory DAEMONS = task -> {
        Thread thread = new Thread(task, "pool");
        thread.setDaemon(true);
        return thread;
    };

    private final List<ExecutorService> pools = new ArrayList<>();
    private final AtomicReferenceArray<Future<?>> futures = new AtomicReferenceArray<>(200);

    /** Takes the steps of a thread. */
    public abstract void take(int thread) throws Exception;

    /** Does what a task of a pool does. */
    public void task(int number) throws Exception {
        throw new AssertionError(number);
    }

    /** A pool that ends with the program. */
    protected final ExecutorService pool(ExecutorService pool) {
        pools.add(pool);
        return pool;
    }

    final void close() {
        pools.forEach(ExecutorService::shutdownNow);
    }

    /** Keeps the future of a task for whoever waits for it; that orders nothing. */
    protected final void keep(int task, Future<?> future) {
        futures.setOpaque(task, future);
    }

    protected final Future<?> future(int task) {
        return futures.getOpaque(task);
    }

    protected static VarHandle field(MethodHandles.Lookup lookup, String name, Class<?> type) {
        return found(() -> lookup.findVarHandle(lookup.lookupClass(), name, type));
    }

    protected static VarHandle staticField(MethodHandles.Lookup lookup, String name, Class<?> type) {
        return found(() -> lookup.findStaticVarHandle(lookup.lookupClass(), name, type));
    }

    protected static MethodHandle getter(MethodHandles.Lookup lookup, String name, Class<?> type) {
        return found(() -> lookup.findGetter(lookup.lookupClass(), name, type));
    }

    protected static MethodHandle setter(MethodHandles.Lookup lookup, String name, Class<?> type) {
        return found(() -> lookup.findSetter(lookup.lookupClass(), name, type));
    }

    protected static Field reflected(Class<?> type, String name) {
        return found(() -> {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        });
    }

    private static <T> T found(Callable<T> search) {
        try {
            return search.call();
        } catch (Exception unforeseen) {
            throw new AssertionError(unforeseen);
        }
    }

    private static final class Worker extends Thread {
        private final Program program;
        private final int number;

        Worker(Program program, int number) {
            super("T" + number);
            this.program = program;
            this.number = number;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                program.take(number);
            } catch (Throwable unforeseen) {
                Driver.fail(unforeseen);
            }
        }
    }
}
