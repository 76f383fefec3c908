/** A flag that one thread sets and another polls, without volatile. */
public class Main {
    static boolean stop;

    static void poll() {
        for (int i = 0; i < 1000 && !stop; i++) { // race: reads stop
            Thread.yield();
        }
    }

    static void stop() {
        stop = true; // race: writes stop
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread poller = new Thread(Main::poll);
        poller.start();
        stop();
        poller.join();
        System.out.println("stopped");
    }
}
