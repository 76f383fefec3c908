/** What a static initializer makes is seen by every thread that needs the class. */
public class Main {
    static final class Holder {
        static final Holder INSTANCE = new Holder();
        int size;
        int[] table;

        Holder() {
            size = 16;
            table = new int[size];
        }
    }

    enum Level {
        LOW, HIGH;

        int uses;
        final String label = name().toLowerCase();

        Level() {
            uses = 1;
        }
    }

    static final class Registry {
        private static Object first;

        static {
            first = new StringBuilder("first");
        }

        static Object first() {
            return first;
        }
    }

    static void use() {
        if (Holder.INSTANCE.size != 16 || Level.HIGH.uses != 1 || Registry.first() == null) {
            throw new AssertionError();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] users = new Thread[4];
        for (int i = 0; i < users.length; i++) {
            users[i] = new Thread(Main::use);
            users[i].start();
        }
        for (Thread user : users) {
            user.join();
        }
        System.out.println(Level.LOW.label);
    }
}
