/** Figure 4 of the hybrid paper as printed: a clock that both threads count hides the race from happens-before. */
public class Main {
    static final Object clockLock = new Object();
    static int clock;
    static int globalInt;

    static void threadA() {
        globalInt = 7;
        synchronized (clockLock) { clock++; }
    }

    static void threadB() {
        synchronized (clockLock) { clock++; }
        int x = globalInt;
    }

    static int time() {
        synchronized (clockLock) { return clock; }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(Main::threadA), b = new Thread(Main::threadB);
        a.start();
        // The figure's order of the two threads. No message from A to B: only the lock orders them.
        while (time() == 0) {
            Thread.yield();
        }
        b.start();
        a.join();
        b.join();
        System.out.println(time());
    }
}
