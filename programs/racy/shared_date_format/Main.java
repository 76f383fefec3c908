import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;

/** Two threads format with one SimpleDateFormat, which keeps the date it works on in itself. */
public class Main {
    private static final SimpleDateFormat FORMAT = new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT);

    static void format() {
        FORMAT.format(new Date(0)); // race: reads writes SimpleDateFormat
    }

    public static void main(String[] arguments) throws InterruptedException {
        format();
        Thread other = new Thread(Main::format);
        other.start();
        format();
        other.join();
        System.out.println("formatted");
    }
}
