/** Figure 4 of the hybrid paper with the fields of an object that `main` has made, and so accessed first. */
public class Main {
    final Object clockLock = new Object();
    int clock = 1;
    int globalInt;

    void threadA() {
        globalInt = 7;
        synchronized (clockLock) { clock++; }
    }

    void threadB() {
        synchronized (clockLock) { clock++; }
        int x = globalInt;
    }

    int time() {
        synchronized (clockLock) { return clock; }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main shared = new Main();
        Thread a = new Thread(shared::threadA), b = new Thread(shared::threadB);
        a.start();
        // The figure's order of the two threads. No message from A to B: only the lock orders them.
        while (shared.time() == 1) {
            Thread.yield();
        }
        b.start();
        a.join();
        b.join();
        System.out.println(shared.time());
    }
}
