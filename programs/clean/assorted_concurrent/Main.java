import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.Timer;
import java.util.TimerTask;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CountedCompleter;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What is handed over in unusual ways: by asking how many wait, by what a pool has counted, by callbacks and hooks, by
 * cancelling, by chains of exchanges and phases, by hazard pointers.
 */
public class Main {
    private static final int TIMES = 20;

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

    static void check(boolean right) {
        if (!right) {
            throw new AssertionError();
        }
    }

    static Thread thread(Step step) {
        return new Thread(() -> {
            try {
                step.run();
            } catch (Throwable unexpected) {
                unexpected.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        });
    }

    static void pair(Step giver, Step taker) throws InterruptedException {
        Thread two = thread(taker);
        Thread one = thread(giver);
        two.start();
        one.start();
        one.join();
        two.join();
    }

    static void three(Step step) throws InterruptedException {
        Thread third = thread(step);
        third.start();
        pair(step, step);
        third.join();
    }

    static void exchangesAndPhases() throws InterruptedException {
        Exchanger<Box> exchanger = new Exchanger<>();
        Phaser root = new Phaser();
        Phaser left = new Phaser(root, 1);
        Phaser right = new Phaser(root, 1);
        Box[] shared = {new Box(), new Box()};
        pair(() -> {
            Box mine = new Box();
            for (int i = 0; i < TIMES; i++) {
                mine.set(i);
                mine = exchanger.exchange(mine);
                check(mine.get() == 2 * i);
                shared[i & 1].set(i);
                left.arriveAndAwaitAdvance();
            }
        }, () -> {
            Box mine = new Box();
            for (int i = 0; i < TIMES; i++) {
                mine.set(i);
                mine = exchanger.exchange(mine, 1, TimeUnit.MINUTES);
                check(mine.get() == 2 * i);
                right.arriveAndAwaitAdvance();
                check(shared[i & 1].get() == 2 * i);
            }
        });
    }

    static void phasesThatCount() throws InterruptedException {
        Box rounds = new Box();
        Phaser phaser = new Phaser(3) {
            @Override
            protected boolean onAdvance(int phase, int parties) {
                rounds.set(rounds.value + 1);
                return phase == 9;
            }
        };
        three(() -> {
            while (!phaser.isTerminated()) {
                phaser.arriveAndAwaitAdvance();
                rounds.get();
            }
        });
        check(rounds.value == 10);
        for (int i = 0; i < TIMES; i++) {
            Phaser asked = new Phaser(2);
            Box box = new Box();
            pair(() -> {
                box.set(1);
                asked.arrive();
            }, () -> {
                while (asked.getArrivedParties() == 0) {
                    Thread.yield();
                }
                box.get();
            });
        }
    }

    static class Hazard {
        static final VarHandle POINTER;
        static final VarHandle BUSY;
        Box pointer;
        boolean busy;

        static {
            try {
                POINTER = MethodHandles.lookup().findVarHandle(Hazard.class, "pointer", Box.class);
                BUSY = MethodHandles.lookup().findVarHandle(Hazard.class, "busy", boolean.class);
            } catch (ReflectiveOperationException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }

    /** A box is used again once no reader says that it is busy with one. */
    static void hazardPointers() throws InterruptedException {
        Hazard hazard = new Hazard();
        Hazard.POINTER.setRelease(hazard, new Box());
        pair(() -> {
            Box old = new Box();
            for (int i = 0; i < 5 * TIMES; i++) {
                old.set(i);
                VarHandle.releaseFence();
                Box next = (Box) Hazard.POINTER.getOpaque(hazard);
                Hazard.POINTER.setOpaque(hazard, old);
                VarHandle.fullFence();
                while ((boolean) Hazard.BUSY.getOpaque(hazard)) {
                    Thread.yield();
                }
                VarHandle.acquireFence();
                old = next;
            }
        }, () -> {
            for (int i = 0; i < 5 * TIMES; i++) {
                Hazard.BUSY.setOpaque(hazard, true);
                VarHandle.fullFence();
                Box box = (Box) Hazard.POINTER.getOpaque(hazard);
                VarHandle.acquireFence();
                box.get();
                VarHandle.releaseFence();
                Hazard.BUSY.setOpaque(hazard, false);
                VarHandle.fullFence();
            }
        });
    }

    static class Taker implements ForkJoinPool.ManagedBlocker {
        final BlockingQueue<Box> queue;
        Box item;

        Taker(BlockingQueue<Box> queue) {
            this.queue = queue;
        }

        @Override
        public boolean block() throws InterruptedException {
            if (item == null) {
                item = queue.take();
            }
            return true;
        }

        @Override
        public boolean isReleasable() {
            if (item == null) {
                item = queue.poll();
            }
            return item != null;
        }
    }

    static void blockersAndQuiescence() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        BlockingQueue<Box> queue = new LinkedBlockingQueue<>();
        List<ForkJoinTask<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            tasks.add(pool.submit(() -> {
                Taker taker = new Taker(queue);
                ForkJoinPool.managedBlock(taker);
                taker.item.set(taker.item.value + 1);
                return taker.item.get();
            }));
        }
        for (int i = 0; i < 6; i++) {
            Box box = new Box();
            box.set(i);
            queue.put(box);
        }
        for (ForkJoinTask<Integer> task : tasks) {
            task.get();
        }
        for (int round = 0; round < TIMES; round++) {
            Box box = new Box();
            pool.execute(() -> box.set(1));
            check(pool.awaitQuiescence(1, TimeUnit.MINUTES));
            box.get();
        }
        pool.shutdown();
    }

    static void futuresThatTimeOut() throws Exception {
        Executor later = CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS);
        for (int i = 0; i < TIMES; i++) {
            Box given = new Box();
            Box used = new Box();
            Box failed = new Box();
            given.set(1);
            CompletableFuture<Integer> one =
                    new CompletableFuture<Box>().completeOnTimeout(given, 1, TimeUnit.MILLISECONDS).thenApplyAsync(box -> {
                        used.set(box.get());
                        return 1;
                    }, later);
            CompletableFuture<Object> two =
                    new CompletableFuture<>().orTimeout(2, TimeUnit.MILLISECONDS).handle((result, failure) -> {
                        failed.set(9);
                        return failure;
                    });
            CompletableFuture.anyOf(one, two).join();
            CompletableFuture.allOf(one, two).get();
            used.get();
            failed.get();
            CompletableFuture<Box> cancelled = new CompletableFuture<>();
            pair(() -> {
                used.set(4);
                cancelled.cancel(true);
            }, () -> {
                while (!cancelled.isCompletedExceptionally()) {
                    Thread.yield();
                }
                used.get();
            });
        }
    }

    /** The second one who cancels finds out that there was a first one. */
    static void whoCancelsFirst() throws Exception {
        Timer timer = new Timer(true);
        for (int i = 0; i < TIMES; i++) {
            Box one = new Box();
            Box two = new Box();
            TimerTask task = new TimerTask() {
                @Override
                public void run() {}
            };
            timer.schedule(task, TimeUnit.DAYS.toMillis(1));
            pair(() -> {
                one.set(1);
                if (!task.cancel()) {
                    two.get();
                }
            }, () -> {
                two.set(1);
                if (!task.cancel()) {
                    one.get();
                }
            });
            FutureTask<Box> future = new FutureTask<>(() -> one) {
                @Override
                protected void done() {
                    two.set(2);
                }
            };
            pair(() -> {
                one.set(2);
                future.cancel(false);
            }, () -> {
                while (!future.isCancelled()) {
                    Thread.yield();
                }
                one.get();
            });
            two.get();
        }
        timer.cancel();
    }

    static void transfers() throws Exception {
        LinkedTransferQueue<Box> queue = new LinkedTransferQueue<>();
        Box back = new Box();
        pair(() -> {
            for (int i = 0; i < TIMES; i++) {
                Box box = new Box();
                box.set(i);
                if (i % 2 == 0) {
                    queue.transfer(box);
                } else {
                    check(queue.tryTransfer(box, 1, TimeUnit.MINUTES));
                }
                back.get();
                queue.transfer(new Box());
            }
        }, () -> {
            for (int i = 0; i < TIMES; i++) {
                back.set(i);
                Box box = queue.take();
                box.set(box.get());
                queue.take();
            }
        });
        for (int i = 0; i < TIMES; i++) {
            LinkedTransferQueue<Box> asked = new LinkedTransferQueue<>();
            Box box = new Box();
            pair(() -> {
                box.set(1);
                asked.take();
            }, () -> {
                while (!asked.hasWaitingConsumer()) {
                    Thread.yield();
                }
                box.get();
                asked.put(box);
            });
        }
    }

    static void whoWaits() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            ReentrantLock lock = new ReentrantLock();
            Semaphore semaphore = new Semaphore(0);
            CountDownLatch held = new CountDownLatch(1);
            Box first = new Box();
            Box second = new Box();
            pair(() -> {
                held.await();
                first.set(1);
                lock.lock();
                lock.unlock();
                second.set(1);
                semaphore.acquire();
            }, () -> {
                lock.lock();
                held.countDown();
                while (!lock.hasQueuedThreads()) {
                    Thread.yield();
                }
                first.get();
                lock.unlock();
                while (!semaphore.hasQueuedThreads()) {
                    Thread.yield();
                }
                second.get();
                semaphore.release();
            });
            CyclicBarrier barrier = new CyclicBarrier(2);
            Box broken = new Box();
            pair(() -> {
                while (barrier.getNumberWaiting() == 0) {
                    Thread.yield();
                }
                broken.set(1);
                barrier.reset();
            }, () -> {
                try {
                    barrier.await();
                    check(false);
                } catch (BrokenBarrierException expected) {
                    broken.get();
                }
            });
        }
    }

    static void locksOfMaps() throws Exception {
        ConcurrentHashMap<String, Box> map = new ConcurrentHashMap<>();
        Map<Integer, Box> sorted = Collections.synchronizedSortedMap(new TreeMap<>());
        SortedMap<Integer, Box> head = ((SortedMap<Integer, Box>) sorted).headMap(50);
        three(() -> {
            for (int i = 0; i < 5 * TIMES; i++) {
                int value = i;
                String key = "key" + i % 3;
                map.compute(key, (name, old) -> {
                    Box box = old == null ? new Box() : old;
                    box.set(value);
                    return box;
                });
                map.merge(key, new Box(), (old, unused) -> {
                    old.set(old.get() & 7);
                    return old;
                });
                map.computeIfPresent(key, (name, old) -> value % 8 == 3 ? null : old);
                sorted.put(value, new Box());
                head.merge(value % 5, new Box(), (old, unused) -> {
                    old.set(value);
                    return old;
                });
                synchronized (sorted) {
                    for (Box box : sorted.values()) {
                        box.get();
                    }
                }
                sorted.entrySet().removeIf(entry -> entry.getKey() > 40);
            }
        });
    }

    static class Sum extends CountedCompleter<Integer> {
        final int from;
        final int to;
        final Sum[] halves = new Sum[2];
        int total;

        Sum(Sum parent, int from, int to) {
            super(parent);
            this.from = from;
            this.to = to;
        }

        @Override
        public void compute() {
            if (to - from > 4) {
                int middle = (from + to) >>> 1;
                setPendingCount(2);
                halves[0] = new Sum(this, from, middle);
                halves[1] = new Sum(this, middle, to);
                halves[0].fork();
                halves[1].fork();
            }
            for (int i = from; i < to && halves[0] == null; i++) {
                total += i;
            }
            tryComplete();
        }

        @Override
        public void onCompletion(CountedCompleter<?> caller) {
            if (halves[0] != null) {
                total = halves[0].total + halves[1].total;
            }
        }
    }

    static void poolsThatCount() throws Exception {
        ForkJoinPool forks = new ForkJoinPool(3);
        for (int i = 0; i < TIMES; i++) {
            Sum sum = new Sum(null, 0, 100);
            forks.execute(sum);
            sum.helpComplete(10);
            sum.join();
            check(sum.total == 4950);
        }
        forks.shutdown();
        Box before = new Box();
        Box after = new Box();
        Box ended = new Box();
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>()) {
                    @Override
                    protected void beforeExecute(Thread thread, Runnable task) {
                        before.set(before.value + 1);
                    }

                    @Override
                    protected void afterExecute(Runnable task, Throwable failure) {
                        after.set(after.value + 1);
                    }

                    @Override
                    protected void terminated() {
                        ended.set(before.get() + after.get());
                    }
                };
        pool.allowCoreThreadTimeOut(true);
        for (int i = 0; i < TIMES; i++) {
            pool.execute(after::get);
        }
        while (pool.getCompletedTaskCount() < TIMES) {
            Thread.yield();
        }
        check(after.value == TIMES);
        while (pool.getPoolSize() > 0) {
            Thread.yield();
        }
        before.get();
        pool.shutdown();
        while (!pool.isTerminated()) {
            Thread.yield();
        }
        ended.get();
    }

    public static void main(String[] arguments) throws Exception {
        exchangesAndPhases();
        phasesThatCount();
        hazardPointers();
        blockersAndQuiescence();
        futuresThatTimeOut();
        whoCancelsFirst();
        transfers();
        whoWaits();
        locksOfMaps();
        poolsThatCount();
        System.out.println("done");
    }
}
