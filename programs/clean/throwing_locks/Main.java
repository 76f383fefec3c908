/** Exceptions leave synchronized blocks and methods, static ones too, from any depth; finally blocks run under the lock. */
public class Main {
    private static int total;
    private int value;
    private int finished;

    static synchronized void addStatic(int amount) {
        total += amount;
        if (amount % 2 == 0) {
            throw new IllegalArgumentException();
        }
    }

    synchronized void add(int amount) {
        try {
            value += 10 / amount;
        } finally {
            finished++;
        }
    }

    void addInBlocks(int amount) {
        synchronized (this) {
            synchronized (Main.class) {
                value += 1;
                total += 10 / amount;
            }
        }
    }

    void work() {
        for (int i = 0; i < 300; i++) {
            for (int part = 0; part < 3; part++) {
                try {
                    switch (part) {
                        case 0 -> addStatic(i);
                        case 1 -> add(i % 3);
                        default -> addInBlocks(i % 3);
                    }
                } catch (IllegalArgumentException | ArithmeticException expected) {
                    continue;
                }
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread[] workers = new Thread[3];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Thread(main::work);
            workers[i].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(total + " " + main.value + " " + main.finished);
    }
}
