/** A sequence lock with plain data: to read again afterwards does not undo the race. */
public class Main {
    private static volatile int sequence;
    private static int x;

    static void write() {
        sequence = 1;
        x = 7; // race: writes x
        sequence = 2;
    }

    static int read(Thread writer) {
        int before = sequence;
        writer.start();
        int seen = x; // race: reads x
        return sequence == before ? seen : -1;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(Main::write);
        int seen = read(writer);
        writer.join();
        System.out.println(seen < 8);
    }
}
