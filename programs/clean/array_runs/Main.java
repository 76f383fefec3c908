import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Exchanger;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs over arrays end before each way to hand the array over, and another's run begins after it. */
public class Main {
    private static final int LENGTH = 500;
    private static final int ROUNDS = 20;
    private static final Object LOCK = new Object();
    private static volatile int turn;
    private static int locked;

    static void add(int[] cells, int step) {
        for (int i = 0; i < cells.length; i += step) {
            cells[i]++;
        }
        for (int i = cells.length - 1; i >= 0; i -= step) {
            cells[i] += cells[i] & 1;
        }
    }

    static void byVolatile(int[] cells, int me) {
        for (int round = 0; round < ROUNDS; round++) {
            while (turn % 2 != me) {
                Thread.onSpinWait();
            }
            add(cells, 1 + round % 3);
            turn++;
        }
    }

    static void byMonitor(int[] cells, int me) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            synchronized (LOCK) {
                while (locked % 2 != me) {
                    LOCK.wait();
                }
                add(cells, 1 + round % 3);
                locked++;
                LOCK.notifyAll();
            }
        }
    }

    static void byQueue(ArrayBlockingQueue<int[]> from, ArrayBlockingQueue<int[]> to) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            int[] cells = from.take();
            add(cells, 1 + round % 3);
            to.put(cells);
        }
    }

    static void byExchanger(Exchanger<int[]> exchanger, int[] cells) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            add(cells, 1);
            cells = exchanger.exchange(cells);
        }
    }

    static void byCounter(int[][] parts, AtomicInteger done, int me) {
        add(parts[me], 2);
        if (done.incrementAndGet() == parts.length) {
            for (int[] part : parts) {
                add(part, 1);
            }
        }
    }

    interface Work {
        void run(int me) throws Exception;
    }

    static void both(Work work) throws InterruptedException {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            int me = i;
            threads[i] = new Thread(() -> {
                try {
                    work.run(me);
                } catch (Exception unexpected) {
                    throw new AssertionError(unexpected);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] cells = new int[LENGTH];
        both(me -> byVolatile(cells, me));
        both(me -> byMonitor(cells, me));
        ArrayBlockingQueue<int[]> there = new ArrayBlockingQueue<>(1);
        ArrayBlockingQueue<int[]> back = new ArrayBlockingQueue<>(1);
        there.put(cells);
        both(me -> byQueue(me == 0 ? there : back, me == 0 ? back : there));
        Exchanger<int[]> exchanger = new Exchanger<>();
        both(me -> byExchanger(exchanger, new int[LENGTH]));
        int[][] parts = new int[2][LENGTH];
        AtomicInteger done = new AtomicInteger();
        both(me -> byCounter(parts, done, me));
        add(parts[0], 1);
        System.out.println(cells[0] > 0);
    }
}
