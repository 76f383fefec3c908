import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/**
 * Two threads that start virtual threads, or use other newer parts of the platform, each for itself, are not
 * ordered by it. Each API was used before by main.
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

    static final ScopedValue<Integer> SCOPED = ScopedValue.newInstance();

    static class Started extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Thread.startVirtualThread(Thread::yield).join();
            return this;
        }
    }

    static class Built extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Thread thread = Thread.ofVirtual().name("own-" + who).unstarted(Thread::onSpinWait);
            thread.start();
            thread.join();
            return this;
        }
    }

    static class BuiltMany extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            ThreadFactory factory = Thread.ofVirtual().name("own-", 0).factory();
            Thread one = factory.newThread(Thread::onSpinWait);
            Thread two = factory.newThread(Thread::onSpinWait);
            one.start();
            two.start();
            one.join();
            two.join();
            return this;
        }
    }

    static class PerTask extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
                return pool.submit(() -> who).get();
            }
        }
    }

    static class PerTaskPlatform extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (ExecutorService pool = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
                return pool.submit(() -> who).get();
            }
        }
    }

    static class Platform extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Thread thread = Thread.ofPlatform().daemon().name("own", who).start(Thread::yield);
            return thread.join(Duration.ofSeconds(60));
        }
    }

    static class SleepsVirtual extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Thread.startVirtualThread(() -> LockSupport.parkNanos(1_000_000)).join();
            return this;
        }
    }

    static class LocksVirtual extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            ReentrantLock lock = new ReentrantLock();
            lock.lock();
            Thread thread = Thread.startVirtualThread(() -> {
                lock.lock();
                lock.unlock();
            });
            lock.unlock();
            thread.join();
            return this;
        }
    }

    static class MonitorVirtual extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Object monitor = new Object();
            Thread.startVirtualThread(() -> {
                synchronized (monitor) {
                    monitor.notifyAll();
                }
            }).join();
            return this;
        }
    }

    static class QueueVirtual extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
            Thread.startVirtualThread(() -> queue.add(who));
            return queue.take();
        }
    }

    static class LocalVirtual extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            ThreadLocal<Integer> local = new ThreadLocal<>();
            Thread.startVirtualThread(() -> local.set(who)).join();
            return this;
        }
    }

    static class InterruptVirtual extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Thread thread = Thread.startVirtualThread(LockSupport::park);
            thread.interrupt();
            thread.join();
            return this;
        }
    }

    static class Scoped extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ScopedValue.where(SCOPED, who).call(() -> SCOPED.get() + 1); }
    }

    static class ConfinedArena extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (Arena arena = Arena.ofConfined()) {
                return arena.allocate(ValueLayout.JAVA_INT).asByteBuffer().get(0) + who;
            }
        }
    }

    static class SharedArena extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (Arena arena = Arena.ofShared()) {
                return arena.allocate(ValueLayout.JAVA_INT, 1 + who).get(ValueLayout.JAVA_INT, 0);
            }
        }
    }

    static class AutoArena extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Arena.ofAuto().allocateFrom("text" + who).getString(0); }
    }

    static class Gathered extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Stream.of(1, 2, 3, who).gather(Gatherers.windowFixed(2)).toList(); }
    }

    static class Patterns extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return switch ((Object) List.of(who)) {
                case String text -> text;
                case List<?> list when list.isEmpty() -> "none";
                case List<?> list -> list.getFirst();
                default -> this;
            };
        }
    }

    static class ClassFiles extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return ClassFile.of().build(ClassDesc.of("Own" + who), builder -> builder.withFlags(1)).length;
        }
    }

    static class Sequenced extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return List.of(1, 2, who).reversed().getFirst(); }
    }

    public static void main(String[] arguments) throws Exception {
        Between[] all = {
            new Started(), new Built(), new BuiltMany(), new PerTask(), new PerTaskPlatform(), new Platform(),
            new SleepsVirtual(), new LocksVirtual(), new MonitorVirtual(), new QueueVirtual(),
            new LocalVirtual(), new InterruptVirtual(), new Scoped(), new ConfinedArena(), new SharedArena(),
            new AutoArena(), new Gathered(), new Patterns(), new ClassFiles(), new Sequenced(),
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
