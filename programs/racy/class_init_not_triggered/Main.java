/** A constant, an array of the class and its name do not initialize it: what its initializer did is not ordered. */
public class Main {
    private static int state;

    static class Config {
        static final int SIZE = 3;
        static final Object LOADED = new Object();

        static {
            state = 1; // race: writes state
        }
    }

    static void load() {
        if (Config.LOADED == null) {
            throw new AssertionError();
        }
    }

    static int use() {
        Config[] none = new Config[Config.SIZE];
        String name = Config.class.getName();
        return none.length + name.length() + state; // race: reads state
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread loader = new Thread(Main::load);
        loader.start();
        int seen = use();
        loader.join();
        System.out.println(seen > 3);
    }
}
