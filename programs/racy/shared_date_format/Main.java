import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;

/** Two threads format with one SimpleDateFormat, which keeps the date it works on in itself. */
public class Main {
    private static final long DAY = 24 * 60 * 60 * 1000;
    private static final SimpleDateFormat FORMAT = new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT);

    static void format(long day) {
        FORMAT.format(new Date(day * DAY)); // race: reads writes SimpleDateFormat
    }

    public static void main(String[] arguments) throws InterruptedException {
        format(1);
        Thread other = new Thread(() -> format(2));
        other.start();
        format(3);
        other.join();
        System.out.println("formatted");
    }
}
