/** Fifty threads, one race: reported once, counted for each. */
public class Main {
    private int value;

    void write() {
        value = 1; // race: writes value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread[] threads = new Thread[50];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(main::write);
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(main.value);
    }
}
