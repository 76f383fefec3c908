/** Caveat 5 of Rajagopalan's thesis: hidden methods synchronize through a static field, which is told to be one of these. */
public class Main {
    static int x;

    static void first() {
        x = 1;
        Library.raise();
    }

    static void second() {
        Library.await();
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
    @interface Global {}

    @Global
    private static volatile boolean isUp;

    static void raise() {
        isUp = true;
    }

    static void await() {
        while (!isUp) {
            Thread.onSpinWait();
        }
    }
}
