/** The setter is synchronized, the getter is not. */
public class Main {
    private int value;

    synchronized void set(int value) {
        this.value = value; // race: writes value
    }

    int get() {
        return value; // race: reads value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main box = new Main();
        Thread setter = new Thread(() -> box.set(4));
        Thread getter = new Thread(() -> box.get());
        setter.start();
        getter.start();
        setter.join();
        getter.join();
        System.out.println(box.get());
    }
}
