/** The same volatile field of another object: no order. */
public class Main {
    private volatile int stamp;
    private static int data;

    void write() {
        data = 1; // race: writes data
        stamp = 1;
    }

    int read() {
        return stamp + data; // race: reads data
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main a = new Main();
        Main b = new Main();
        Thread one = new Thread(a::write);
        Thread two = new Thread(b::read);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
