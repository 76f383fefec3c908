import java.util.concurrent.atomic.AtomicBoolean;

/** The flag is atomic, but it is set before the data. */
public class Main {
    private static final AtomicBoolean READY = new AtomicBoolean();
    private static int data;

    static void send() {
        READY.set(true);
        data = 1; // race: writes data
    }

    static int receive() {
        while (!READY.get()) {
            Thread.onSpinWait();
        }
        return data; // race: reads data
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread sender = new Thread(Main::send);
        sender.start();
        int seen = receive();
        sender.join();
        System.out.println(seen < 2);
    }
}
