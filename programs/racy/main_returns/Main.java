/** Main returns at once; its threads race afterwards. */
public class Main implements Runnable {
    private static int value;

    @Override
    public void run() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
        value++; // race: reads writes value
    }

    public static void main(String[] arguments) {
        new Thread(new Main(), "early").start();
        new Thread(new Main(), "late").start();
    }
}
