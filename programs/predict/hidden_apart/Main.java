/** Figure 4.1 of Rajagopalan's thesis, but the hidden methods have no object in common: the writes of x do race. */
public class Main {
    static int x;

    static void first(Library.Flag flag) {
        x = 1;
        Library.raise(flag);
    }

    static void second(Library.Flag flag) {
        Library.await(flag);
        x = 2;
    }

    public static void main(String[] arguments) throws Exception {
        Library.Flag one = new Library.Flag(), other = new Library.Flag();
        Library.raise(other);
        Thread first = new Thread(() -> first(one));
        Thread second = new Thread(() -> second(other));
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(x > 0);
    }
}

/** Synchronizes through a flag, and nobody sees it. */
class Library {
    static class Flag {
        volatile boolean isUp;
    }

    static void raise(Flag flag) {
        flag.isUp = true;
    }

    static void await(Flag flag) {
        while (!flag.isUp) {
            Thread.onSpinWait();
        }
    }
}
