/** The program of `autodrome doctor`: two threads count without synchronization, so every run has a race. */
public class Doctor {
    static int count;

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(() -> count++);
        Thread two = new Thread(() -> count++);
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
