import java.util.Arrays;
import java.util.Date;
import java.util.concurrent.locks.ReentrantLock;

/**
 * No race: of each case one thread writes x and raises a flag under a lock, the other writes x once it has seen the flag under the
 * lock. The flag is in excluded classes, or guarded by them. With arguments only these cases run.
 */
public class Main {
    /** Two threads and what they share. */
    abstract static class Case {
        final Object lock = new Object();
        final String name;

        Case(String name) {
            this.name = name;
        }

        abstract void first() throws Throwable;

        /** Gives whether the flag was up. */
        abstract boolean second() throws Throwable;
    }

    static class Extended extends Library {}

    static class Shape {
        int size;

        void grow() {
            size++;
        }

        int size() {
            return size;
        }
    }

    static class Defaulted implements Library.Raisable {}

    static Case[] cases() {
        return new Case[] {
        new Case("ownDate") {
            int x;
            Library.OwnDate date = new Library.OwnDate();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { date.setTime(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = date.getTime() == 1; } return up && (x = 2) > 0; }
        },
        new Case("excluded") {
            int x;
            Library library = new Library();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { library.raise(); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = library.isUp(); } return up && (x = 2) > 0; }
        },
        new Case("excludedStatic") {
            int x;
            @Override void first() throws Throwable { x = 1; synchronized (lock) { Library.raiseAll(); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = Library.areUp(); } return up && (x = 2) > 0; }
        },
        new Case("excludedField") {
            int x;
            Library library = new Library();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { library.open = 1; } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = library.open == 1; } return up && (x = 2) > 0; }
        },
        new Case("excludedStaticField") {
            int x;
            @Override void first() throws Throwable { x = 1; synchronized (lock) { Library.openToAll = 1; } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = Library.openToAll == 1; } return up && (x = 2) > 0; }
        },
        new Case("excludedBelow") {
            int x;
            Extended extended = new Extended();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { extended.raise(); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = extended.isUp(); } return up && (x = 2) > 0; }
        },
        new Case("excludedOverride") {
            int x;
            Shape shape = new Library.Square();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { shape.grow(); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = shape.size() == 1; } return up && (x = 2) > 0; }
        },
        new Case("excludedDefault") {
            int x;
            Defaulted defaulted = new Defaulted();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { defaulted.raiseByDefault(); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = Library.Raisable.up[0] == 1; } return up && (x = 2) > 0; }
        },
        new Case("excludedInherited") {
            int x;
            @Override void first() throws Throwable { x = 1; synchronized (lock) { Extended.raiseMore(); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = Extended.areMoreUp(); } return up && (x = 2) > 0; }
        },
        new Case("excludedReader") {
            int x;
            int[] array = new int[1];
            @Override void first() throws Throwable { x = 1; synchronized (lock) { array[0] = 1; } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = Library.first(array) == 1; } return up && (x = 2) > 0; }
        },
        new Case("excludedWriter") {
            int x;
            int[] array = new int[1];
            @Override void first() throws Throwable { x = 1; synchronized (lock) { Library.set(array); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = array[0] == 1; } return up && (x = 2) > 0; }
        },
        new Case("excludedMonitor") {
            int x;
            Library library = new Library();
            @Override void first() throws Throwable { x = 1; library.raiseLocked(); }
            @Override boolean second() throws Throwable { boolean up; up = library.isUpLocked(); return up && (x = 2) > 0; }
        },
        new Case("excludedVolatile") {
            int x;
            Library library = new Library();
            @Override void first() throws Throwable { x = 1; library.flag = 1; }
            @Override boolean second() throws Throwable { boolean up; up = library.flag == 1; return up && (x = 2) > 0; }
        },
        new Case("excludedVolatileInside") {
            int x;
            Library library = new Library();
            @Override void first() throws Throwable { x = 1; library.raiseFlag(); }
            @Override boolean second() throws Throwable { boolean up; up = library.isFlagUp(); return up && (x = 2) > 0; }
        },
        new Case("excludedLock") {
            int x;
            Library library = new Library();
            @Override void first() throws Throwable { x = 1; library.raiseByLock(); }
            @Override boolean second() throws Throwable { boolean up; up = library.isUpByLock(); return up && (x = 2) > 0; }
        },
        new Case("excludedMonitorOfProgram") {
            int x;
            Object mine = new Object(); Library library = new Library();
            @Override void first() throws Throwable { x = 1; synchronized (mine) { library.raise(); } }
            @Override boolean second() throws Throwable { boolean up; up = library.isUpUnder(mine); return up && (x = 2) > 0; }
        },
        };
    }

    static void check(Case what) throws InterruptedException {
        Thread first = new Thread(() -> {
            try {
                what.first();
            } catch (Throwable thrown) {
                thrown.printStackTrace();
            }
        });
        Thread second = new Thread(() -> {
            try {
                while (!what.second()) {
                    Thread.yield();
                }
            } catch (Throwable thrown) {
                thrown.printStackTrace();
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
    }

    public static void main(String[] names) throws InterruptedException {
        for (Case what : cases()) {
            if (names.length == 0 || Arrays.asList(names).contains(what.name)) {
                check(what);
            }
        }
        System.out.println("done");
    }
}

/** Excluded from the recording. */
class Library {
    private static int all, more;
    static int openToAll;
    int open;
    volatile int flag;
    private int up;
    private final ReentrantLock lock = new ReentrantLock();

    void raise() {
        up = 1;
    }

    boolean isUp() {
        return up == 1;
    }

    synchronized void raiseLocked() {
        up = 1;
    }

    synchronized boolean isUpLocked() {
        return up == 1;
    }

    void raiseByLock() {
        lock.lock();
        up = 1;
        lock.unlock();
    }

    boolean isUpByLock() {
        lock.lock();
        try {
            return up == 1;
        } finally {
            lock.unlock();
        }
    }

    boolean isUpUnder(Object lock) {
        synchronized (lock) {
            return up == 1;
        }
    }

    void raiseFlag() {
        flag = 1;
    }

    boolean isFlagUp() {
        return flag == 1;
    }

    static void raiseAll() {
        all = 1;
    }

    static boolean areUp() {
        return all == 1;
    }

    static void raiseMore() {
        more = 1;
    }

    static boolean areMoreUp() {
        return more == 1;
    }

    static int first(int[] array) {
        return array[0];
    }

    static void set(int[] array) {
        array[0] = 1;
    }

    static class OwnDate extends Date {
        OwnDate() {
            super(0);
        }
    }

    static class Square extends Main.Shape {
        private int own;

        @Override
        void grow() {
            own = 1;
        }

        @Override
        int size() {
            return own;
        }
    }

    interface Raisable {
        int[] up = new int[1];

        default void raiseByDefault() {
            up[0] = 1;
        }
    }
}
