/** Figure 4.4 of Rajagopalan's thesis: hidden methods call back, and what they call keeps the order that they make. */
public class Main {
    static int x;

    static void read() {
        if (x > 1) {
            throw new AssertionError();
        }
    }

    static void write() {
        x = 2;
    }

    public static void main(String[] arguments) throws Exception {
        Library.Flag flag = new Library.Flag();
        Thread first = new Thread(() -> Library.runAndRaise(flag, Main::read));
        Thread second = new Thread(() -> Library.awaitAndRun(flag, Main::write));
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(x);
    }
}

/** Runs what it is given, one after the other, and nobody sees why. */
class Library {
    static class Flag {
        volatile boolean isUp;
    }

    static void runAndRaise(Flag flag, Runnable task) {
        task.run();
        flag.isUp = true;
    }

    static void awaitAndRun(Flag flag, Runnable task) {
        while (!flag.isUp) {
            Thread.onSpinWait();
        }
        task.run();
    }
}
