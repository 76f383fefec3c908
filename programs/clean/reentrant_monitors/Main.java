/** One monitor many times over, through methods, blocks and recursion: it is free only after the last exit. */
public class Main {
    private int value;

    synchronized int descend(int depth) {
        value++;
        synchronized (this) {
            if (depth > 0) {
                descend(depth - 1);
            }
            value++;
        }
        return value++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread[] workers = new Thread[3];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Thread(() -> {
                for (int round = 0; round < 20; round++) {
                    main.descend(20);
                }
            });
            workers[i].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(main.value);
    }
}
