/** Exceptions that the program's own instructions throw stay as they were, with their messages. */
public class Main {
    int field;
    volatile long stamp;

    static String tell(Runnable action) {
        try {
            action.run();
            return "nothing";
        } catch (RuntimeException thrown) {
            return thrown.getMessage();
        }
    }

    public static void main(String[] arguments) {
        Main none = null;
        System.out.println(tell(() -> none.field = 1));
        System.out.println(tell(() -> System.out.println(none.field)));
        System.out.println(tell(() -> none.stamp = 2));
        System.out.println(tell(() -> System.out.println(none.stamp)));
        System.out.println(tell(() -> {
            synchronized (none) {
                System.out.println("not here");
            }
        }));
        System.out.println(tell(() -> {
            try {
                new Object().wait();
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        }));
    }
}
