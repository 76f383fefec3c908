/** A class file of Java 8: inner classes go through accessors, which have the line of their class. */
public class Main { // race: reads writes shared text
    private int shared;
    private String text = "";

    class Inner {
        void write() {
            shared = 1;
            text = "a" + shared;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread one = new Thread(() -> main.new Inner().write());
        Thread two = new Thread(() -> main.new Inner().write());
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
