/** One field, and races on it in places that only a compiler numbers: each is a race of its own. */
public class Main {
    static int shared;

    /** Its field races with itself, in two threads. */
    abstract static class Task implements Runnable {}

    static final Runnable COUNTER = new Task() {
        int count;

        public void run() {
            count++;
        }
    };

    static final Runnable OTHER_COUNTER = new Task() {
        int count;

        public void run() {
            count++;
        }
    };

    static void together(Runnable one, Runnable other) throws InterruptedException {
        Thread first = new Thread(one);
        Thread second = new Thread(other);
        first.start();
        second.start();
        first.join();
        second.join();
    }

    static void one() throws InterruptedException {
        together(new Runnable() {
            public void run() {
                shared++;
            }
        }, new Runnable() {
            public void run() {
                shared--;
            }
        });
    }

    static void two() throws InterruptedException {
        together(new Runnable() {
            public void run() {
                shared += 2;
            }
        }, new Runnable() {
            public void run() {
                shared -= 2;
            }
        });
        together(() -> shared += 3, () -> shared -= 3);
    }

    static void two(int step) throws InterruptedException {
        together(() -> shared += step, () -> shared -= step);
        class Local implements Runnable {
            public void run() {
                shared += 5;
            }
        }
        together(new Local(), () -> {
            Runnable inner = () -> shared -= 5;
            inner.run();
        });
    }

    static void three() throws InterruptedException {
        class Local implements Runnable {
            public void run() {
                shared += 6;
            }
        }
        together(new Local(), () -> new Runnable() {
            public void run() {
                shared -= 6;
            }
        }.run());
    }

    public static void main(String[] arguments) throws InterruptedException {
        together(COUNTER, COUNTER);
        together(OTHER_COUNTER, OTHER_COUNTER);
        one();
        two();
        two(4);
        three();
    }
}
