/** Figure 4.5 of Rajagopalan's thesis, caveat 4: the first and the last hidden method have no object in common, but the one
 * between them has one with each. */
public class Main {
    static int x;

    static void first(Library.Flag flag) {
        x = 1;
        Library.raise(flag);
    }

    static void last(Library.Flag flag) {
        Library.await(flag);
        x = 2;
    }

    public static void main(String[] arguments) throws Exception {
        Library.Flag one = new Library.Flag(), other = new Library.Flag();
        Thread first = new Thread(() -> first(one));
        Thread between = new Thread(() -> Library.pass(one, other));
        Thread last = new Thread(() -> last(other));
        first.start();
        between.start();
        last.start();
        first.join();
        between.join();
        last.join();
        System.out.println(x);
    }
}

/** Synchronizes through flags, and nobody sees it. */
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

    static void pass(Flag from, Flag to) {
        await(from);
        raise(to);
    }
}
