/**
 * An initializer that fails: the threads that find its class unusable come after what it did. It may throw an exception or an
 * error, which the JVM passes on in different ways.
 */
public class Main {
    private static final int USERS = 3;

    static class Cell {
        int value;
    }

    private static final Cell FIRST = new Cell();
    private static final Cell SECOND = new Cell();
    private static final Cell THIRD = new Cell();

    static class ByException {
        static int used;

        static {
            FIRST.value = 1;
            if (FIRST.value == 1) {
                throw new IllegalStateException("meant");
            }
        }
    }

    static class ByError {
        static int used;

        static {
            SECOND.value = 1;
            if (SECOND.value == 1) {
                throw new AssertionError("meant");
            }
        }
    }

    static class Base {
        static {
            THIRD.value = 1;
            if (THIRD.value == 1) {
                throw new AssertionError("meant");
            }
        }
    }

    static class OfBase extends Base {}

    static void all(Runnable use, Cell cell) throws InterruptedException {
        Thread[] users = new Thread[USERS];
        int[] seen = new int[USERS];
        for (int i = 0; i < USERS; i++) {
            int user = i;
            users[i] = new Thread(() -> {
                try {
                    use.run();
                } catch (AssertionError | LinkageError meant) {
                    seen[user] = cell.value;
                }
            });
        }
        for (Thread user : users) {
            user.start();
        }
        for (Thread user : users) {
            user.join();
        }
        for (int value : seen) {
            if (value != 1) {
                throw new IllegalStateException("the class was used");
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        all(() -> ByException.used++, FIRST);
        all(() -> ByError.used++, SECOND);
        all(() -> new OfBase(), THIRD);
        System.out.println("failed");
    }
}
