import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Phaser;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * Two threads that start threads, pools and timers of their own, or wait for themselves, are not ordered by the
 * counters and registers of threads. Each API was used before by main.
 */
public class Main {
    /** Two threads use an API, each for itself, between a write and a read of a field. */
    abstract static class Between {
        abstract void write();

        abstract int read();

        /** Uses the API with objects of the thread's own. */
        abstract Object use(int who) throws Throwable;

        final void first() {
            write();
            attempt(1);
        }

        final void second() {
            attempt(2);
            read();
        }

        final void attempt(int who) {
            try {
                Objects.requireNonNull(use(who));
            } catch (Throwable failure) {
                failure.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        }
    }

    /** What a task of a pool gives, after which the pool is shut down. */
    static Object last(ExecutorService pool) throws Exception {
        try {
            return pool.submit(() -> "task").get();
        } finally {
            pool.shutdown();
        }
    }

    static class NewThread extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Thread thread = new Thread(() -> Thread.yield());
            thread.start();
            thread.join();
            return this;
        }
    }

    static class NamedDaemon extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Thread thread = new Thread(null, Thread::yield, "own " + who, 1 << 16);
            thread.setDaemon(true);
            thread.start();
            thread.join();
            return this;
        }
    }

    static class OwnGroup extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Thread thread = new Thread(new ThreadGroup("own " + who), Thread::yield);
            thread.start();
            thread.join();
            return this;
        }
    }

    static class FixedPool extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return last(Executors.newFixedThreadPool(1)); }
    }

    static class CachedPool extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return last(Executors.newCachedThreadPool()); }
    }

    static class SinglePool extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return last(Executors.newSingleThreadExecutor()); }
    }

    static class OwnFactory extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return last(Executors.newSingleThreadExecutor(Executors.defaultThreadFactory())); }
    }

    static class WorkStealing extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return last(Executors.newWorkStealingPool(1)); }
    }

    static class OwnForkJoin extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return last(new ForkJoinPool(1)); }
    }

    static class Scheduled extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
            pool.schedule(() -> who, 1, TimeUnit.MILLISECONDS).get();
            return pool.shutdownNow();
        }
    }

    static class OwnTimer extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            CountDownLatch done = new CountDownLatch(1);
            Timer timer = new Timer();
            timer.schedule(new TimerTask() {
                @Override
                public void run() {
                    done.countDown();
                }
            }, 1);
            done.await();
            timer.cancel();
            return this;
        }
    }

    static class Completable extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            CompletableFuture<Integer> other = CompletableFuture.supplyAsync(() -> 1, Runnable::run);
            return CompletableFuture.completedFuture(who).thenApply(n -> n + 1).thenCombine(other, Integer::sum).get();
        }
    }

    static class CompletableInTime extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            CompletableFuture<Integer> future = new CompletableFuture<Integer>().orTimeout(1, TimeUnit.HOURS);
            future.complete(who);
            return future.get();
        }
    }

    static class NewLocal extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            ThreadLocal<Integer> local = ThreadLocal.withInitial(() -> 1);
            local.set(local.get() + who);
            local.remove();
            return local.get();
        }
    }

    static class NewInheritable extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            InheritableThreadLocal<Integer> local = new InheritableThreadLocal<>();
            local.set(who);
            return local.get();
        }
    }

    static class Sleeps extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Thread.sleep(1);
            return this;
        }
    }

    static class SleepsUnit extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            TimeUnit.MICROSECONDS.sleep(100);
            return this;
        }
    }

    static class Yields extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Thread.yield();
            Thread.onSpinWait();
            return this;
        }
    }

    static class Parks extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            LockSupport.parkNanos(1000);
            return this;
        }
    }

    static class Unparks extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            LockSupport.unpark(Thread.currentThread());
            LockSupport.park(this);
            return this;
        }
    }

    static class OwnMonitor extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Object monitor = new Object();
            synchronized (monitor) {
                monitor.wait(1);
                monitor.notifyAll();
            }
            return this;
        }
    }

    static class OwnLock extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            ReentrantLock lock = new ReentrantLock(true);
            lock.lock();
            lock.newCondition().awaitNanos(1000);
            lock.unlock();
            return this;
        }
    }

    static class OwnReadWriteLock extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
            lock.readLock().lock();
            lock.readLock().unlock();
            StampedLock stamped = new StampedLock();
            stamped.unlockWrite(stamped.writeLock());
            return this;
        }
    }

    static class OwnBarriers extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            new Semaphore(1).acquire();
            new CountDownLatch(0).await();
            new CyclicBarrier(1).await();
            return new Phaser(1).arriveAndAwaitAdvance();
        }
    }

    static class OwnTask extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            FutureTask<Integer> task = new FutureTask<>(() -> who);
            task.run();
            return task.get();
        }
    }

    static class OwnPublisher extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>(Runnable::run, 4);
            CompletableFuture<Void> consumed = publisher.consume(n -> { });
            publisher.submit(who);
            publisher.close();
            consumed.get();
            return this;
        }
    }

    static class OwnDelays extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return String.valueOf(new DelayQueue<>().poll(1, TimeUnit.MICROSECONDS)); }
    }

    static class Interrupts extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Thread.currentThread().interrupt();
            return Thread.interrupted();
        }
    }

    static class Properties extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Thread thread = Thread.currentThread();
            thread.setName("own " + who);
            thread.setPriority(Thread.NORM_PRIORITY);
            thread.setUncaughtExceptionHandler((of, failure) -> { });
            return thread.getId() + thread.toString() + thread.getThreadGroup() + thread.getContextClassLoader();
        }
    }

    static class ShutdownHook extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Thread hook = new Thread(Thread::yield);
            Runtime.getRuntime().addShutdownHook(hook);
            return Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    static class OwnHandler extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Thread thread = new Thread(() -> { throw new IllegalStateException(); });
            thread.setUncaughtExceptionHandler((of, failure) -> Thread.yield());
            thread.start();
            thread.join();
            return this;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Between[] all = {
            new NewThread(), new NamedDaemon(), new OwnGroup(), new FixedPool(), new CachedPool(),
            new SinglePool(), new OwnFactory(), new WorkStealing(), new OwnForkJoin(), new Scheduled(),
            new OwnTimer(), new Completable(), new CompletableInTime(), new NewLocal(), new NewInheritable(),
            new Sleeps(), new SleepsUnit(), new Yields(), new Parks(), new Unparks(), new OwnMonitor(),
            new OwnLock(), new OwnReadWriteLock(), new OwnBarriers(), new OwnTask(), new OwnPublisher(),
            new OwnDelays(), new Interrupts(), new Properties(), new ShutdownHook(), new OwnHandler(),
        };
        List<Thread> firsts = new ArrayList<>();
        List<Thread> seconds = new ArrayList<>();
        for (Between each : all) {
            // What a first use makes exists from here on.
            each.attempt(0);
            firsts.add(new Thread(each::first));
            seconds.add(new Thread(each::second));
        }
        firsts.forEach(Thread::start);
        // Long enough for the first ones to be through. No synchronization: main learns nothing from them.
        Thread.sleep(1500);
        seconds.forEach(Thread::start);
        for (Thread thread : firsts) {
            thread.join();
        }
        for (Thread thread : seconds) {
            thread.join();
        }
        System.out.println("done");
    }
}
