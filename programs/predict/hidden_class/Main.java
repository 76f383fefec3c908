/** A hidden method that is static and synchronized takes the monitor of its class, which no argument tells. */
public class Main {
    static int x;
    static volatile boolean isInside;

    static void first() {
        synchronized (Library.class) {
            isInside = true;
            x = 1;
        }
    }

    static void second() {
        while (!isInside) {
            Thread.onSpinWait();
        }
        Library.pass();
        x = 2;
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(Main::first);
        Thread second = new Thread(Main::second);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(x);
    }
}

class Library {
    static synchronized void pass() {}
}
