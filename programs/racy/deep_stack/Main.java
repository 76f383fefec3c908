/** The accesses lie 500 calls deep, and all of them are shown. */
public class Main {
    private int value;

    void descend(int depth) {
        if (depth == 0) {
            value++; // race: reads writes value
        } else {
            descend(depth - 1);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread one = new Thread(() -> main.descend(500));
        Thread two = new Thread(() -> main.descend(500));
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
