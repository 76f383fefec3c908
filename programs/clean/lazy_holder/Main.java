/** Objects that are made when they are first needed, by a holder class and as a constant of an enum. */
public class Main {
    private int uses;
    private final int size;
    private String name;

    Main(String name) {
        this.name = name;
        size = name.length();
    }

    static class Holder {
        static final Main INSTANCE = new Main("holder");
    }

    enum Single {
        INSTANCE;

        private String name = "single";
        private int uses;

        synchronized int use() {
            return name.length() + uses++ * 0;
        }
    }

    static Main get() {
        return Holder.INSTANCE;
    }

    synchronized int use() {
        uses++;
        return size;
    }

    static void work() {
        int length = get().name.length() + get().use() + Single.INSTANCE.use() + Single.INSTANCE.name.length();
        if (length != 24) {
            throw new AssertionError(length);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] workers = new Thread[4];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Thread(Main::work);
        }
        for (Thread worker : workers) {
            worker.start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(get().uses + " " + Single.valueOf("INSTANCE").uses);
    }
}
