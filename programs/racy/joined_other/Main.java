/** Each thread is waited for, but only after the access that it should come before. */
public class Main {
    private int value;

    void write() {
        value++; // race: reads writes value
    }

    void pause() {}

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread writer = new Thread(main::write);
        Thread other = new Thread(main::pause);
        writer.start();
        other.start();
        other.join();
        main.write();
        writer.join();
        System.out.println(main.value > 0);
    }
}
