/** A constructor starts a thread that uses the object before the constructor is done. */
public class Main {
    private final Thread reader;
    private int value;

    Main() {
        reader = new Thread(this::read);
        reader.start();
        value = 1; // race: writes value
    }

    int read() {
        return value; // race: reads value
    }

    public static void main(String[] arguments) throws InterruptedException {
        new Main().reader.join();
        System.out.println("read");
    }
}
