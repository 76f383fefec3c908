/** A stack overflow in the middle of watched code is caught; what comes after is watched as before. */
public class Main {
    private int depth;
    private int value;

    synchronized int descend() {
        depth++;
        return descend() + 1;
    }

    void work() {
        try {
            descend();
        } catch (StackOverflowError expected) {
            value++; // race: reads writes value
        }
    }

    void write() {
        value++; // race: reads writes value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main a = new Main();
        Thread one = new Thread(a::work);
        Thread two = new Thread(a::write);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
