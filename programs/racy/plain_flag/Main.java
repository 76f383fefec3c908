/** Data handed over by a flag that is not volatile: both race. */
public class Main {
    private int data;
    private boolean ready;

    void publish() {
        data = 42; // race: writes data
        ready = true; // race: writes ready
    }

    int look() {
        boolean seen = ready; // race: reads ready
        return data + (seen ? 1 : 0); // race: reads data
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread one = new Thread(main::publish);
        Thread two = new Thread(main::look);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
