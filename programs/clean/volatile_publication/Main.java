/** Data written before a volatile write, read after the read that saw it; also through a class not loaded before. */
public class Main {
    private int data;
    private volatile boolean ready;

    static final class Mailbox {
        static volatile Object mail;
        volatile int stamp;
        int body;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Mailbox box = new Mailbox();
        int[] seen = new int[3];
        Thread reader = new Thread(() -> {
            while (!main.ready) {
                Thread.onSpinWait();
            }
            seen[0] = main.data;
            while (box.stamp == 0) {
                Thread.onSpinWait();
            }
            seen[1] = box.body;
            while (Mailbox.mail == null) {
                Thread.onSpinWait();
            }
            seen[2] = ((Mailbox) Mailbox.mail).body;
        });
        reader.start();
        main.data = 42;
        main.ready = true;
        box.body = 43;
        box.stamp = 1;
        Mailbox letter = new Mailbox();
        letter.body = 44;
        Mailbox.mail = letter;
        reader.join();
        System.out.println(seen[0] + " " + seen[1] + " " + seen[2]);
    }
}
