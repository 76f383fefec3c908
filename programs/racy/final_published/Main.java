/** An object is published by a race: the reference races, its final field does not. */
public class Main {
    static final class Config {
        final int size;

        Config(int size) {
            this.size = size;
        }
    }

    private static Config config = new Config(1);

    static void publish() {
        config = new Config(2); // race: writes config
    }

    static int use() {
        return config.size; // race: reads config
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(Main::publish);
        Thread two = new Thread(Main::use);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
