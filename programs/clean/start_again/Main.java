/** A thread is started twice, and once more after its end: the exceptions change nothing. */
public class Main {
    private static int value;

    static boolean start(Thread thread) {
        try {
            thread.start();
            return true;
        } catch (IllegalThreadStateException expected) {
            return false;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread thread = new Thread(() -> value++);
        value = 1;
        boolean first = start(thread);
        boolean second = start(thread);
        thread.join();
        value++;
        boolean third = start(thread);
        thread.join();
        System.out.println(first + " " + second + " " + third + " " + value);
    }
}
