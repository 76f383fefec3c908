import java.util.Comparator;
import java.util.concurrent.TimeUnit;

/** `nested_places` after an edit: what is new here gives all that was there another number, and no race another id. */
public class Main {
    static int shared;

    /** New. */
    static final Comparator<String> ORDER = Comparator.comparing(text -> text.length());

    /** Its field races with itself, in two threads. */
    abstract static class Task implements Runnable {}

    /** New. */
    static int unrelated(TimeUnit unit) {
        class Local {
            int three() {
                return 3;
            }
        }
        Runnable anonymous = new Runnable() {
            public void run() {
                new Thread(() -> System.out.println("never")).setName("never started");
            }
        };
        Runnable lambda = () -> anonymous.run();
        lambda.run();
        switch (unit) {
            case DAYS:
                return 1;
            case HOURS:
                return 2;
            default:
                return new Local().three();
        }
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

    public static void main(String[] arguments) throws InterruptedException {
        unrelated(TimeUnit.SECONDS);
        together(COUNTER, COUNTER);
        together(OTHER_COUNTER, OTHER_COUNTER);
        one();
        two();
        two(4);
        three();
    }
}
