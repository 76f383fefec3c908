import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Readers share, writers are alone; a writer keeps on reading what it wrote. */
public class Main {
    private final ReentrantReadWriteLock lock;
    private int one;
    private int two;

    Main(boolean fair) {
        lock = new ReentrantReadWriteLock(fair);
    }

    void write() {
        lock.writeLock().lock();
        try {
            one++;
            two--;
        } finally {
            lock.writeLock().unlock();
        }
    }

    int read() {
        lock.readLock().lock();
        try {
            return one + two;
        } finally {
            lock.readLock().unlock();
        }
    }

    int tryRead() {
        while (!lock.readLock().tryLock()) {
            Thread.onSpinWait();
        }
        try {
            return one + two;
        } finally {
            lock.readLock().unlock();
        }
    }

    void work() {
        for (int i = 0; i < 200; i++) {
            write();
            if (read() != 0 || tryRead() != 0) {
                throw new AssertionError();
            }
        }
    }

    static int count(boolean fair) throws InterruptedException {
        Main main = new Main(fair);
        Thread[] others = {new Thread(main::work), new Thread(main::work)};
        for (Thread other : others) {
            other.start();
        }
        main.work();
        for (Thread other : others) {
            other.join();
        }
        return main.one;
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println(count(false) + " " + count(true));
    }
}
