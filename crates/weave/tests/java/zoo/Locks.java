package zoo;

/** Synchronized blocks and methods, left in every way. */
class Locks {
    private int count;
    private static int total;
    private final Object lock = new Object();

    synchronized int add(int by) {
        count += by;
        return count;
    }

    synchronized long addLong(long by, double unused) {
        if (by < 0) {
            throw new IllegalArgumentException("negative " + by);
        }
        return count += by;
    }

    static synchronized void addTotal(int by) {
        total += by;
        if (total > 100) {
            throw new IllegalStateException("too much");
        }
    }

    /** It has no local of its own. */
    static synchronized int total() {
        return total;
    }

    static synchronized String name(Object of) {
        return of == null ? "none" : of.toString();
    }

    synchronized void recurse(int depth) {
        if (depth > 0) {
            synchronized (lock) {
                recurse(depth - 1);
            }
        }
        count++;
    }

    synchronized int caught(Object value) {
        try {
            return value.hashCode() & 0 | 1;
        } catch (NullPointerException e) {
            return -1;
        } finally {
            count++;
        }
    }

    /** The loop head follows the monitorenter at once. */
    int loopInside(int rounds) {
        synchronized (lock) {
            while (true) {
                if (rounds-- <= 0) {
                    return count;
                }
                count++;
            }
        }
    }

    int nested(int way) {
        for (int round = 0; round < 3; round++) {
            synchronized (this) {
                synchronized (lock) {
                    if (way == 0) {
                        continue;
                    }
                    if (way == 1) {
                        break;
                    }
                    if (way == 2) {
                        return count;
                    }
                    if (way == 3) {
                        throw new RuntimeException("way 3");
                    }
                    count++;
                }
            }
        }
        return -count;
    }

    /** A loader whose monitor the JVM takes. */
    static class Loader extends ClassLoader {
        Loader() {
            super(Locks.class.getClassLoader());
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            if (name.isEmpty()) {
                throw new ClassNotFoundException("no name");
            }
            return super.loadClass(name);
        }
    }

    static void run() {
        Main.fails(() -> System.out.println(new Loader().loadClass("zoo.Locks")));
        Main.fails(() -> new Loader().loadClass(""));
        Locks locks = new Locks();
        System.out.println(locks.add(3) + " " + locks.addLong(4, 1.5));
        Main.fails(() -> locks.addLong(-1, 0));
        addTotal(60);
        Main.fails(() -> addTotal(60));
        System.out.println(name(null) + name("x") + total());
        locks.recurse(5);
        System.out.println(locks.caught("x") + " " + locks.caught(null) + " " + locks.loopInside(4));
        for (int way = 0; way < 5; way++) {
            int chosen = way;
            Main.fails(() -> System.out.println(locks.nested(chosen)));
        }
        Main.fails(() -> {
            Object none = null;
            synchronized (none) {
                System.out.println("never");
            }
        });
    }
}
