/** Caveat 3 of Rajagopalan's thesis: a hidden method raises the flag, and visible code waits for it. */
public class Main {
    static int x;

    static class Flag {
        volatile boolean isUp;
    }

    static void first(Flag flag) {
        x = 1;
        Library.raise(flag);
    }

    static void second(Flag flag) {
        while (!flag.isUp) {
            Thread.onSpinWait();
        }
        x = 2;
    }

    public static void main(String[] arguments) throws Exception {
        Flag flag = new Flag();
        Thread first = new Thread(() -> first(flag));
        Thread second = new Thread(() -> second(flag));
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(x);
    }
}

class Library {
    static void raise(Main.Flag flag) {
        flag.isUp = true;
    }
}
