import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** The threads of a kernel. Every kernel is called with its size in percent and the number of threads, and prints a checksum
 * that depends on neither the schedule nor the number of threads. */
final class Team {
    interface Work {
        void run(int rank) throws Exception;
    }

    final int threads;
    private final CyclicBarrier barrier;

    Team(int threads) {
        this.threads = threads;
        barrier = new CyclicBarrier(threads);
    }

    static Team of(String[] arguments) {
        return new Team(arguments.length > 1 ? Integer.parseInt(arguments[1]) : 4);
    }

    /** A number of things at full size, scaled to the size that was asked for. */
    static int scaled(String[] arguments, int full) {
        int percent = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100;
        return (int) Math.max(1, (long) full * percent / 100);
    }

    /** Every thread does its part; returns when all have. */
    void run(Work work) throws InterruptedException {
        Thread[] members = new Thread[threads];
        for (int rank = 0; rank < threads; rank++) {
            int mine = rank;
            members[rank] = new Thread(() -> {
                try {
                    work.run(mine);
                } catch (Exception thrown) {
                    thrown.printStackTrace();
                    Runtime.getRuntime().halt(1);
                }
            }, "worker-" + rank);
            members[rank].start();
        }
        for (Thread member : members) {
            member.join();
        }
    }

    /** Waits until all threads are here. */
    void meet() throws InterruptedException, BrokenBarrierException {
        barrier.await();
    }

    /** The first of a thread's even share of things; the share ends where the next thread's begins. */
    int from(int rank, int things) {
        return (int) ((long) things * rank / threads);
    }

    static void tell(Object checksum) {
        System.out.println(checksum);
    }
}
