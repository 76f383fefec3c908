import java.util.ArrayDeque;

/** Figure 2 of the hybrid paper: objects are recycled through a pool. Whoever has one uses it without a lock. */
public class Main {
    static class Big {
        int size;

        void init(int size) {
            this.size = size;
        }
    }

    static class Pool {
        private final ArrayDeque<Big> free = new ArrayDeque<>();

        synchronized void recycle(Big big) {
            free.add(big);
        }

        synchronized Big removeOne() {
            return free.poll();
        }
    }

    static final Pool POOL = new Pool();

    static void work() {
        for (int done = 0; done < 50; ) {
            Big big = POOL.removeOne();
            if (big != null) {
                big.init(done++);
                POOL.recycle(big);
            }
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        POOL.recycle(new Big());
        Thread one = new Thread(Main::work), two = new Thread(Main::work);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("recycled");
    }
}
