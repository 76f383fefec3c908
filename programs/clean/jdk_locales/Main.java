import java.text.BreakIterator;
import java.text.Collator;
import java.text.DateFormat;
import java.text.MessageFormat;
import java.text.NumberFormat;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.util.Currency;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;

/**
 * Two threads format with objects of their own for the same locale at the same time. What the JDK loads for the locale meanwhile,
 * with streams that fill its tables, is the JDK's own affair.
 */
public class Main {
    private static final String[] LOCALES = {"de-DE", "fr-FR", "ja-JP", "zh-Hant-TW", "ar-EG", "th-TH", "pt-BR", "no-NO", "sr-Latn-RS"};

    static int use(Locale locale, int who) {
        int length = NumberFormat.getCurrencyInstance(locale).format(who * 1234.5).length();
        length += NumberFormat.getPercentInstance(locale).format(0.5).length();
        length += DateFormat.getDateTimeInstance(DateFormat.FULL, DateFormat.FULL, locale).format(new Date(0)).length();
        length += DateTimeFormatter.ofLocalizedDate(FormatStyle.FULL).withLocale(locale).format(LocalDate.of(2020, 1, 2)).length();
        length += new MessageFormat("{0,number} {1,date}", locale).format(new Object[] {who, new Date(0)}).length();
        length += String.format(locale, "%,d %tB", 1234567, new Date(0)).length();
        length += Currency.getInstance("EUR").getDisplayName(locale).length();
        length += TimeZone.getTimeZone("Europe/Rome").getDisplayName(locale).length();
        length += locale.getDisplayName(locale).length() + locale.getDisplayCountry().length();
        return length + Collator.getInstance(locale).compare("a", "b") + BreakIterator.getWordInstance(locale).first();
    }

    public static void main(String[] arguments) throws InterruptedException {
        for (String tag : LOCALES) {
            Locale locale = Locale.forLanguageTag(tag);
            int[] lengths = new int[2];
            Thread one = new Thread(() -> lengths[0] = use(locale, 1));
            Thread two = new Thread(() -> lengths[1] = use(locale, 2));
            one.start();
            two.start();
            one.join();
            two.join();
            System.out.println(tag + " " + (lengths[0] == lengths[1]));
        }
    }
}
