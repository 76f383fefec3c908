/** Hidden methods and constructors end by exceptions: what comes before them is ordered, what comes after is not. */
public class Main {
    static int before;
    static int after;

    static void first(Library.Flag flag) {
        before = 1;
        try {
            Library.raiseAndThrow(flag);
        } catch (IllegalStateException expected) {
            after = 1;
        }
    }

    static void second(Library.Flag flag) {
        try {
            construct(flag);
        } catch (IllegalStateException expected) {
            before = 2;
            after = 2;
        }
    }

    static void construct(Library.Flag flag) {
        new Library.Waiter(flag);
    }

    public static void main(String[] arguments) throws Exception {
        Library.Flag flag = new Library.Flag();
        Thread first = new Thread(() -> first(flag));
        Thread second = new Thread(() -> second(flag));
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(before);
    }
}

class Library {
    static class Flag {
        volatile boolean isUp;
    }

    static void raiseAndThrow(Flag flag) {
        flag.isUp = true;
        throw new IllegalStateException();
    }

    static class Waiter {
        Waiter(Flag flag) {
            while (!flag.isUp) {
                Thread.onSpinWait();
            }
            throw new IllegalStateException();
        }
    }
}
