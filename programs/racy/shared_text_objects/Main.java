import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.text.ChoiceFormat;
import java.text.CollationElementIterator;
import java.text.Collator;
import java.text.MessageFormat;
import java.text.RuleBasedCollator;
import java.util.Date;
import java.util.Formatter;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.Scanner;
import java.util.StringTokenizer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Objects for dates and text that keep in themselves what they work on, each used by two threads. */
public class Main {
    private static final Date DATE = new Date(0);
    private static final java.sql.Timestamp TIMESTAMP = new java.sql.Timestamp(0);
    private static final GregorianCalendar CALENDAR = new GregorianCalendar(2001, 1, 1);
    private static final Matcher MATCHER = Pattern.compile("b+").matcher("abbabba");
    private static final Scanner SCANNER = new Scanner("1 2 3 4 5 6");
    private static final StringTokenizer TOKENS = new StringTokenizer("1 2 3 4 5 6");
    private static final Formatter FORMATTER = new Formatter(Locale.ROOT);
    private static final MessageFormat MESSAGE = new MessageFormat("{0,date,yyyy}", Locale.ROOT);
    private static final ChoiceFormat CHOICE = new ChoiceFormat("0#none|1#one|1<many");
    private static final CharsetEncoder ENCODER = StandardCharsets.UTF_8.newEncoder();
    private static final CollationElementIterator ELEMENTS =
            ((RuleBasedCollator) Collator.getInstance(Locale.ROOT)).getCollationElementIterator("some text");

    static void date() {
        DATE.setTime(1); // race: writes Date
    }

    static void askedDate() {
        DATE.getTime(); // race: reads Date
    }

    static void timestamp() {
        TIMESTAMP.setNanos(1); // race: writes Timestamp
    }

    static void calendar() {
        CALENDAR.setTimeInMillis(1); // race: reads writes GregorianCalendar
    }

    static void matcher() {
        MATCHER.find(); // race: reads writes Matcher
    }

    static void scanner() {
        SCANNER.nextInt(); // race: reads writes Scanner
    }

    static void tokens() {
        TOKENS.nextToken(); // race: reads writes StringTokenizer
    }

    static void formatter() {
        FORMATTER.format("%d ", 1); // race: reads writes Formatter
    }

    static void message() {
        MESSAGE.format(new Object[] {0L}); // race: reads writes MessageFormat
    }

    static void choice() {
        CHOICE.setChoices(new double[] {0, 1}, new String[] {"none", "some"}); // race: writes ChoiceFormat
    }

    static void chosen() {
        CHOICE.format(1); // race: reads ChoiceFormat
    }

    static void encoder() throws Exception {
        ENCODER.encode(CharBuffer.wrap("text")); // race: reads writes CharsetEncoder
    }

    static void elements() {
        ELEMENTS.setText("other"); // race: reads writes CollationElementIterator
    }

    interface Work {
        void run() throws Exception;
    }

    /** An object that two threads use at once may fail, which is not what is tested. */
    static void attempt(Work work) {
        try {
            work.run();
        } catch (Exception anything) {
            // As said.
        }
    }

    static void both(Work one, Work two) throws InterruptedException {
        Thread other = new Thread(() -> attempt(one));
        other.start();
        Thread.sleep(10);
        attempt(two);
        other.join();
    }

    public static void main(String[] arguments) throws InterruptedException {
        both(Main::date, Main::askedDate);
        both(Main::timestamp, Main::timestamp);
        both(Main::calendar, Main::calendar);
        both(Main::matcher, Main::matcher);
        both(Main::scanner, Main::scanner);
        both(Main::tokens, Main::tokens);
        both(Main::formatter, Main::formatter);
        both(Main::message, Main::message);
        both(Main::choice, Main::chosen);
        both(Main::encoder, Main::encoder);
        both(Main::elements, Main::elements);
        System.out.println("done");
    }
}
