/** One thread puts an object into an array, another takes it out without a lock. */
public class Main {
    static void put(String[] names) {
        names[0] = "one"; // race: writes []
    }

    static boolean take(String[] names) {
        return names[0] == null; // race: reads []
    }

    public static void main(String[] arguments) throws InterruptedException {
        String[] names = new String[2];
        Thread one = new Thread(() -> put(names));
        Thread two = new Thread(() -> take(names));
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(names[0]);
    }
}
