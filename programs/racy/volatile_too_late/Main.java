/** The reader looks at the data before it looks at the flag. */
public class Main {
    private int data;
    private volatile boolean ready;

    void write() {
        data = 1; // race: writes data
        ready = true;
    }

    boolean read() {
        int seen = data; // race: reads data
        return ready && seen == 1;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread one = new Thread(main::write);
        Thread two = new Thread(main::read);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
