/** Two tasks run in a hidden pool at the same time: while they do, the pool does nothing, so nothing of it orders them. */
public class Main {
    static int total;

    static void count() {
        // Gets no object, so it orders nothing: it is there to have both tasks run at once.
        Library.meet();
        total++;
    }

    public static void main(String[] arguments) {
        Library.Pool pool = new Library.Pool();
        Library.submit(pool, Main::count);
        Library.submit(pool, Main::count);
        Library.await(pool);
        // The pool keeps this after both, and nobody sees why.
        System.out.println(total > 0);
    }
}

/** Runs tasks, and nobody sees how. */
class Library {
    private static int here;

    static class Pool {
        volatile int done;
    }

    static void submit(Pool pool, Runnable task) {
        new Thread(() -> work(pool, task)).start();
    }

    private static void work(Pool pool, Runnable task) {
        task.run();
        synchronized (pool) {
            pool.done++;
        }
    }

    static void meet() {
        synchronized (Library.class) {
            here++;
        }
        while (isAlone()) {
            Thread.onSpinWait();
        }
    }

    private static synchronized boolean isAlone() {
        return here < 2;
    }

    static void await(Pool pool) {
        while (pool.done < 2) {
            Thread.onSpinWait();
        }
    }
}
