/** Figure 4.2 of Rajagopalan's thesis: six hidden methods a to f in four threads. Those that have an object in common are
 * ordered, a before c before b and d before f before e, and with them what is before and after them; those of the first
 * two threads have none in common with those of the others. */
public class Main {
    static int first, second, third, fourth, between;

    static int one(Library.Flag x, Library.Flag y) {
        first = 1;
        Library.a(x);
        Library.b(y);
        between = 1;
        return second;
    }

    static int two(Library.Flag x, Library.Flag y) {
        second = 2;
        Library.c(x, y);
        return first;
    }

    static int three(Library.Talk z, Library.Flag w) {
        third = 3;
        Library.d(z);
        Library.e(z, w);
        between = 3;
        return fourth;
    }

    static int four(Library.Talk z) {
        fourth = 4;
        Library.f(z);
        return third;
    }

    public static void main(String[] arguments) throws Exception {
        Library.Flag x = new Library.Flag(), y = new Library.Flag(), w = new Library.Flag();
        Library.Talk z = new Library.Talk();
        int[] seen = new int[4];
        Thread[] threads = {
            new Thread(() -> seen[0] = one(x, y)),
            new Thread(() -> seen[1] = two(x, y)),
            new Thread(() -> seen[2] = three(z, w)),
            new Thread(() -> seen[3] = four(z)),
        };
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(seen[0] + " " + seen[1] + " " + seen[2] + " " + seen[3]);
    }
}

/** Synchronizes through flags, and nobody sees it. */
class Library {
    static class Flag {
        volatile boolean isUp;
    }

    static class Talk {
        volatile boolean isAsked, isAnswered;
    }

    static void a(Flag x) {
        x.isUp = true;
    }

    static void b(Flag y) {
        while (!y.isUp) {
            Thread.onSpinWait();
        }
    }

    static void c(Flag x, Flag y) {
        b(x);
        a(y);
    }

    static void d(Talk z) {
        z.isAsked = true;
    }

    static void e(Talk z, Flag w) {
        while (!z.isAnswered) {
            Thread.onSpinWait();
        }
        w.isUp = true;
    }

    static void f(Talk z) {
        while (!z.isAsked) {
            Thread.onSpinWait();
        }
        z.isAnswered = true;
    }
}
