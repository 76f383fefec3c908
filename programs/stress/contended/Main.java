/** Threads that read and write the same few variables as fast as they can: nothing orders them but luck. */
public class Main {
    static long wide;
    static volatile int flag;

    final int[] cells = new int[3];
    final byte[] bytes = new byte[2];
    final Object[] objects = new Object[2];
    volatile long stamp;
    boolean bit;
    short small;
    int count;
    double real;
    float ratio;
    char letter;

    void step(int i) {
        count++;
        wide += i;
        cells[i % 3] += count;
        bytes[i & 1]--;
        stamp = i;
        bit = !bit;
        small += 257;
        real += 0.5;
        ratio = -ratio + 1;
        letter += 3;
        flag = (int) stamp + flag;
        objects[i & 1] = bit ? objects[~i & 1] : this;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int steps = Integer.parseInt(arguments[0]);
        Main shared = new Main();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < steps; i++) {
                    shared.step(i);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
