/** The field is declared by one class, reached by way of a subclass, and accessed from a third. */
public class Main {
    static class Base {
        protected byte flags;
    }

    static class Derived extends Base {
        void mark() {
            flags |= 1; // race: reads writes flags
        }
    }

    static void look(Derived derived) {
        if (derived.flags > 1) { // race: reads flags
            throw new AssertionError();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Derived derived = new Derived();
        Thread marker = new Thread(derived::mark);
        Thread looker = new Thread(() -> look(derived));
        marker.start();
        looker.start();
        marker.join();
        looker.join();
        System.out.println("marked");
    }
}
