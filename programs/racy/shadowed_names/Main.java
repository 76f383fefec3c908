/** Two fields of one name in one object: that of the superclass and that of the subclass race on their own. */
public class Main {
    static class Base {
        int value;

        void inBase() {
            value = 1; // race: writes value
        }
    }

    static class Middle extends Base {}

    static class Derived extends Middle {
        int value;
        int quiet;

        void inDerived() {
            value = 2; // race: writes value
            ((Middle) this).value = 3; // race: writes value
            quiet = 4;
        }
    }

    static void other(Derived derived) {
        derived.value = 5; // race: writes value
        derived.inBase();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Derived derived = new Derived();
        Thread one = new Thread(derived::inDerived);
        Thread two = new Thread(() -> other(derived));
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
