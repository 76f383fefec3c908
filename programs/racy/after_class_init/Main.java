/** What a thread does to a static field after the class's initializer is not ordered by the initializer. */
public class Main {
    static class Registry {
        static int entries = Integer.parseInt("3");

        static void add() {
            entries++; // race: reads writes entries
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(Registry::add);
        Thread two = new Thread(Registry::add);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
