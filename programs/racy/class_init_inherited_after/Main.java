/**
 * A class whose interface and whose super class have initializers is used by two threads. What the first of them does after
 * the initialization is not ordered with what the second one does after its use.
 */
public class Main {
    private static int afterNew;
    private static int afterCall;

    interface Named {
        Object NAME = new Object();

        default int length() {
            return 1;
        }
    }

    static class Implements implements Named {}

    static class Base {
        static final Object KEPT = new Object();
    }

    static class Extends extends Base {
        static int use() {
            return 1;
        }
    }

    static void first() {
        new Implements();
        afterNew = 1; // race: writes afterNew
        Extends.use();
        afterCall = 1; // race: writes afterCall
    }

    static void second() {
        new Implements();
        int seen = afterNew; // race: reads afterNew
        Extends.use();
        seen += afterCall; // race: reads afterCall
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(Main::first);
        Thread second = new Thread(Main::second);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("used");
    }
}
