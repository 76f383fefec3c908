/** Figure 4 of the hybrid paper: a clock that both count hides the race from happens-before. */
public class Main {
    static final Object CLOCK_LOCK = new Object();
    static int clock;
    static int globalInt;

    static void tick() {
        synchronized (CLOCK_LOCK) {
            clock++;
        }
    }

    static void pause(int milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void first() {
        globalInt = 7;
        tick();
        pause(2400);
        tick();
        globalInt = 8;
    }

    static void second() {
        pause(800);
        tick();
        int x = globalInt;
        tick();
        if (x != 7) {
            throw new IllegalStateException();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(Main::first), b = new Thread(Main::second);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println("ticked");
    }
}
