/** One thread appends to a StringBuilder, another asks for its length. */
public class Main {
    private static final StringBuilder TEXT = new StringBuilder();

    static void append() {
        TEXT.append("text"); // race: writes StringBuilder
    }

    static int length() {
        return TEXT.length(); // race: reads StringBuilder
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread appender = new Thread(Main::append);
        appender.start();
        int seen = length();
        appender.join();
        System.out.println(seen < 5);
    }
}
