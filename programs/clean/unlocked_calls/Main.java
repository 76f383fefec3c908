/** wait, notify and monitors used wrongly throw what they throw without us, and order nothing and lose nothing. */
public class Main {
    private int value;

    interface Action {
        void run() throws InterruptedException;
    }

    static String tell(Action action) {
        try {
            action.run();
            return "nothing";
        } catch (IllegalMonitorStateException | InterruptedException | IllegalArgumentException thrown) {
            return thrown.toString();
        }
    }

    synchronized void add() {
        System.out.println(tell(() -> new Object().wait()));
        System.out.println(tell(() -> wait(-1)));
        value++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        System.out.println(tell(main::wait));
        System.out.println(tell(main::notify));
        System.out.println(tell(() -> Thread.currentThread().join(-1)));
        Thread one = new Thread(main::add);
        Thread two = new Thread(main::add);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(main.value);
    }
}
