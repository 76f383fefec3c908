/** Anything can be a monitor: a string, a class, an array, a lambda, a thread, a box. */
public class Main {
    private static final Object[] MONITORS = {
        "literal", Main.class, new int[3], (Runnable) () -> {}, new Thread(), Integer.valueOf(5), new Object[0][0], new Main()
    };
    private int value;

    static synchronized void addStatic(Main main) {
        main.value++;
    }

    void add(Object monitor) {
        synchronized (monitor) {
            value++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int sum = 0;
        for (Object monitor : MONITORS) {
            Main main = new Main();
            Thread[] workers = new Thread[2];
            for (int i = 0; i < workers.length; i++) {
                workers[i] = new Thread(() -> {
                    for (int round = 0; round < 50; round++) {
                        main.add(monitor);
                        if (monitor == Main.class) {
                            addStatic(main);
                        }
                    }
                });
                workers[i].start();
            }
            for (Thread worker : workers) {
                worker.join();
            }
            sum += main.value;
        }
        System.out.println(sum);
    }
}
