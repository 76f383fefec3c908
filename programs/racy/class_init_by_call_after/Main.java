/**
 * A class is initialized by its name. What is done after that is not ordered, nor is anything by who only loads the class: then
 * nobody has waited for the initializer.
 */
public class Main {
    private static int after;
    private static int state;

    static class Used {
        static {
            state = 1; // race: writes state
        }
    }

    static class Other {
        static int calls;

        static {
            calls = 1;
        }
    }

    static void first() {
        try {
            Class.forName("Main$Other");
            after = 1; // race: writes after
            Class.forName("Main$Used");
        } catch (ClassNotFoundException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    static int second() {
        try {
            Class.forName("Main$Other");
            int seen = after; // race: reads after
            return seen + state; // race: reads state
        } catch (ClassNotFoundException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(Main::first);
        first.start();
        int seen = second();
        first.join();
        System.out.println(seen <= 2);
    }
}
