/** A lazily made object, made twice if two threads come at once, and published without order. */
public class Main {
    static final class Config {
        int size = 7; // race: writes size
    }

    static Config config;

    static Config get() {
        if (config == null) { // race: reads config
            config = new Config(); // race: writes config
        }
        return config; // race: reads config
    }

    static void use() {
        if (get().size != 7) { // race: reads size
            throw new AssertionError();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(Main::use);
        Thread two = new Thread(Main::use);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("used");
    }
}
