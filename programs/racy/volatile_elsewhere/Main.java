/** The writer writes one volatile field, the reader reads another: no order. */
public class Main {
    private int data;
    private volatile int written;
    private volatile int read;
    private static volatile int common;

    void write() {
        data = 1; // race: writes data
        written = 1;
    }

    int read() {
        return read + common + data; // race: reads data
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
