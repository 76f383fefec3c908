package old;

/** Code that any Java could have: its classes are loaded under old version numbers, where nothing has a frame. */
public class Old {
    int count;
    long wide;
    static Object shared;
    volatile int open;
    int[] table = new int[4];

    Old(int given) {
        count = given > 3 ? given : -given;
    }

    static synchronized int bump(int by) {
        if (by > 2) {
            throw new IllegalStateException("by " + by);
        }
        return by + 1;
    }

    synchronized long work(int rounds) {
        for (int round = 0; round < rounds; round++) {
            table[round & 3] += count;
            wide += table[round & 3];
            synchronized (table) {
                open++;
            }
        }
        return wide + open;
    }

    int choose(int key) {
        switch (key) {
            case 1: return count++;
            case 2: count += 2;
            case 3: return count;
            default: return -1;
        }
    }

    static class Derived extends Old {
        long extra;

        Derived(boolean which) {
            super(which ? new int[] {5}.length : 2);
            extra = which ? 1 : count;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Old old = new Old(2);
        System.out.println(old.work(10) + " " + old.choose(1) + " " + old.choose(2) + " " + old.choose(9));
        try {
            System.out.println(bump(1));
            bump(3);
        } catch (IllegalStateException e) {
            shared = e.getMessage();
        }
        Thread thread = new Thread("t");
        thread.start();
        thread.join(100L, 1);
        System.out.println(shared + " " + new Derived(true).extra + " " + new Derived(false).extra + thread.isAlive());
    }
}
