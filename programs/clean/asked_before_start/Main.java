/**
 * Threads that are asked for their state, whether they are alive, and joined while another thread is just starting them: they
 * have not ended, and what they hand on from one lock to another stays ordered.
 */
public class Main {
    private static final int ROUNDS = 12;

    private static class Round {
        private final Object first = new Object();
        private final Object second = new Object();
        private boolean isReady;
        private boolean isPassed;
        private int value;

        /** Takes what is handed over at the first lock, and hands it on at the second one. */
        void pass() {
            boolean seen = false;
            while (!seen) {
                Thread.yield();
                synchronized (first) {
                    seen = isReady;
                }
            }
            synchronized (second) {
                isPassed = true;
            }
        }

        void give() {
            value = 1;
            synchronized (first) {
                isReady = true;
            }
        }

        int take() {
            boolean seen = false;
            while (!seen) {
                Thread.yield();
                synchronized (second) {
                    seen = isPassed;
                }
            }
            return value;
        }
    }

    /** Asks until the thread has started. */
    static void ask(Thread thread, int how) throws InterruptedException {
        while (thread.getState() == Thread.State.NEW) {
            if (how == 1) {
                thread.isAlive();
            } else if (how == 2) {
                thread.join(1);
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int sum = 0;
        for (int i = 0; i < ROUNDS; i++) {
            int how = i % 3;
            Round round = new Round();
            Thread passes = new Thread(round::pass);
            Thread starts = new Thread(passes::start);
            int[] taken = new int[1];
            Thread takes = new Thread(() -> {
                try {
                    ask(passes, how);
                } catch (InterruptedException unexpected) {
                    throw new AssertionError(unexpected);
                }
                taken[0] = round.take();
            });
            Thread gives = new Thread(round::give);
            takes.start();
            starts.start();
            gives.start();
            for (Thread thread : new Thread[] {takes, starts, gives, passes}) {
                thread.join();
            }
            sum += taken[0];
        }
        System.out.println(sum);
    }
}
