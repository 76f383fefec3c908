/** More threads, one after the other, than there are slots for clocks. */
public class Main {
    private int count;

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        for (int i = 0; i < 3000; i++) {
            Thread child = new Thread(() -> main.count++);
            child.start();
            child.join();
        }
        System.out.println(main.count);
    }
}
