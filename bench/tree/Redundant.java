/**
 * The micro-benchmarks of the TREE thesis. Each thread counts in one field, again and again, while it holds all locks: figure
 * 5.1, where the locks are everybody's, and figure 5.3 ("own"), where each thread has its own and the field is also counted
 * by the thread that starts the others. In 5.3 the field races, and its value is not printed.
 */
public class Redundant {
    static long x;

    static Object[] locks(int count) {
        Object[] locks = new Object[count];
        for (int i = 0; i < count; i++) {
            locks[i] = new Object();
        }
        return locks;
    }

    static void count(Object[] locks, int held) {
        if (held == locks.length) {
            x++;
            return;
        }
        synchronized (locks[held]) {
            count(locks, held + 1);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        boolean own = arguments[0].equals("own");
        int threads = Integer.parseInt(arguments[1]), iterations = Integer.parseInt(arguments[2]);
        int lockCount = Integer.parseInt(arguments[3]);
        Object[] shared = locks(lockCount);
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            if (own) {
                x++;
            }
            Object[] locks = own ? locks(lockCount) : shared;
            all[i] = new Thread(() -> {
                for (int j = 0; j < iterations; j++) {
                    count(locks, 0);
                }
            });
            all[i].start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        System.out.println(own ? "counted" : "counted to " + x);
    }
}
