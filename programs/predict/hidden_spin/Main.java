/** Figure 4.1 of Rajagopalan's thesis: the writes of x are ordered by what two hidden methods do to an object of both. */
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
        Library.Flag flag = new Library.Flag();
        Thread first = new Thread(() -> first(flag));
        Thread second = new Thread(() -> second(flag));
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(x);
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
