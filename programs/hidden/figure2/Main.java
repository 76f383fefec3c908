/**
 * Figure 2 of Cai and Cao 2015: x and y are ordered by chance, because the first thread takes its locks long before the others
 * take the same ones.
 */
public class Main {
    static final class K {}

    static final class N {}

    static final class O1 {}

    static final class O2 {}

    static final class O3 {}

    static final class O4 {}

    static final class O5 {}

    static final K k = new K();
    static final N n = new N();
    static final O1 o1 = new O1();
    static final O2 o2 = new O2();
    static final O3 o3 = new O3();
    static final O4 o4 = new O4();
    static final O5 o5 = new O5();

    static int x, y;

    static void f1() throws InterruptedException {
        x = 1; // race: writes x
        synchronized (k) {
            Thread.yield();
        }
        f2();
    }

    static void f2() throws InterruptedException {
        synchronized (o1) {
            Thread.yield();
        }
        y = 1; // race: writes y
        synchronized (n) {
            Thread.yield();
        }
    }

    static void f3() throws InterruptedException {
        Thread.sleep(150);
        f4();
    }

    static void f4() throws InterruptedException {
        synchronized (o2) {
            Thread.sleep(20);
        }
        synchronized (o3) {
            Thread.sleep(20);
        }
        f5();
    }

    static void f5() {
        synchronized (n) {
            Thread.yield();
        }
        y = 2; // race: writes y
    }

    static void f6() throws InterruptedException {
        Thread.sleep(150);
        f7();
    }

    static void f7() throws InterruptedException {
        synchronized (o4) {
            Thread.sleep(20);
        }
        synchronized (o5) {
            Thread.sleep(20);
        }
        f8();
    }

    static void f8() {
        synchronized (k) {
            Thread.yield();
        }
        x = 2; // race: writes x
    }

    interface Body {
        void run() throws InterruptedException;
    }

    static Thread start(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        thread.start();
        return thread;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = {start(Main::f1), start(Main::f3), start(Main::f6)};
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
