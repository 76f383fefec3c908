import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.text.Bidi;
import java.text.BreakIterator;
import java.text.ChoiceFormat;
import java.text.Collator;
import java.text.DecimalFormat;
import java.text.MessageFormat;
import java.text.Normalizer;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Currency;
import java.util.Formatter;
import java.util.HexFormat;
import java.util.List;
import java.util.ListResourceBundle;
import java.util.Locale;
import java.util.Objects;
import java.util.ResourceBundle;
import java.util.Scanner;
import java.util.StringJoiner;
import java.util.StringTokenizer;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Two threads that write, format, compare and convert text, each its own, are not ordered by it. Each API was used
 * before by main.
 */
public class Main {
    /** Two threads use an API, each for itself, between a write and a read of a field. */
    abstract static class Between {
        abstract void write();

        abstract int read();

        /** Uses the API with objects of the thread's own. */
        abstract Object use(int who) throws Throwable;

        final void first() {
            write();
            attempt(1);
        }

        final void second() {
            attempt(2);
            read();
        }

        final void attempt(int who) {
            try {
                Objects.requireNonNull(use(who));
            } catch (Throwable failure) {
                failure.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        }
    }

    public static class Words extends ListResourceBundle {
        protected Object[][] getContents() {
            return new Object[][] {{"word", "text"}};
        }
    }

    static class Println extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            System.out.println("between");
            return this;
        }
    }

    static class PrintFormatted extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            System.out.printf("%s%n", "between");
            return this;
        }
    }

    static class PrintError extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            System.err.println("error of " + who);
            return this;
        }
    }

    static class StringFormat extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return String.format("%d %s %.3f %x", who, "text", 1.5 * who, who); }
    }

    static class FormatterOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return new Formatter(new StringBuilder(), Locale.FRANCE).format("%,d %08.2f", who * 1000, who * 2.5).toString();
        }
    }

    static class Concat extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return "a" + who + 'b' + (who * 2L) + "c" + (who * 0.5); }
    }

    static class Regex extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Pattern.compile("(a+)(b*)" + who).matcher("xaab" + who).find(); }
    }

    static class Split extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return List.of(("a1b2c" + who).split("[0-9]")); }
    }

    static class ReplaceAll extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ("text of " + who).replaceAll("\\s+o", "-"); }
    }

    static class MessageFormatOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return MessageFormat.format("{0} of {1,number,integer}", "text", who); }
    }

    static class DecimalFormatOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new DecimalFormat("#,##0.00").format(who * 1234.5); }
    }

    static class NumberFormatOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return NumberFormat.getInstance(Locale.GERMANY).format(who * 1234.5); }
    }

    static class CurrencyFormat extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return NumberFormat.getCurrencyInstance(Locale.US).format(who * 1234.5); }
    }

    static class PercentFormat extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return NumberFormat.getPercentInstance(Locale.UK).format(who * 0.5); }
    }

    static class CompactFormat extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return NumberFormat.getCompactNumberInstance(Locale.US, NumberFormat.Style.SHORT).format(who * 12345);
        }
    }

    static class ParseNumber extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return NumberFormat.getInstance(Locale.US).parse("1,00" + who); }
    }

    static class ChoiceFormatOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new ChoiceFormat("0#none|1#one|2#two").format(who); }
    }

    static class CurrencyOf extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Currency.getInstance(Locale.JAPAN).getSymbol(Locale.JAPAN); }
    }

    static class CollatorOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Collator.getInstance(Locale.FRANCE).compare("c\u00f4te" + who, "cot\u00e9" + who); }
    }

    static class NormalizerUse extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Normalizer.normalize("\u00e9" + who, Normalizer.Form.NFD); }
    }

    static class BreakIteratorOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            BreakIterator words = BreakIterator.getWordInstance(Locale.US);
            words.setText("some words of " + who);
            words.next();
            return words.next();
        }
    }

    static class BidiOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new Bidi("text \u05d0" + who, Bidi.DIRECTION_DEFAULT_LEFT_TO_RIGHT).getRunCount(); }
    }

    static class CharsetByName extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Charset.forName("ISO-8859-15").newEncoder().encode(CharBuffer.wrap("text" + who)); }
    }

    static class CharsetExtended extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new String(("text" + who).getBytes("Shift_JIS"), "Shift_JIS"); }
    }

    static class Utf8 extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return new String(("t\u00e4xt" + who).getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        }
    }

    static class LocaleOf extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Locale.forLanguageTag("de-CH-x-v" + who).getDisplayName(Locale.ENGLISH); }
    }

    static class LocaleBuilder extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return new Locale.Builder().setLanguage("nl").setRegion("BE").build().getDisplayCountry(Locale.GERMAN);
        }
    }

    static class Bundle extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ResourceBundle.getBundle("Main$Words", Locale.ROOT).getString("word"); }
    }

    static class UpperCase extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ("stra\u00dfe" + who).toUpperCase(Locale.ROOT); }
    }

    static class Intern extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ("text" + who).intern(); }
    }

    static class CharacterName extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Character.getName('a' + who); }
    }

    static class ScannerOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new Scanner(who + " 17 words").nextInt(); }
    }

    static class Tokens extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new StringTokenizer("a b c" + who).nextToken(); }
    }

    static class Joined extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new StringJoiner(",", "[", "]").add("a" + who).add("b").toString(); }
    }

    static class Base64Text extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return Base64.getMimeEncoder().encodeToString(("text" + who).getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    static class Hex extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return HexFormat.ofDelimiter(":").formatHex(new byte[] {1, (byte) who}); }
    }

    static class NamedUuid extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return UUID.nameUUIDFromBytes(new byte[] {1, (byte) who}).toString(); }
    }

    static class StringBufferOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new StringBuffer("text").append(who).reverse().toString(); }
    }

    static class Lines extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ("a\nb\n" + who).lines().map(String::strip).toList(); }
    }

    static class Formatted extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return "%s and %d".formatted("text", who); }
    }

    public static void main(String[] arguments) throws Exception {
        Between[] all = {
            new Println(), new PrintFormatted(), new PrintError(), new StringFormat(), new FormatterOwn(),
            new Concat(), new Regex(), new Split(), new ReplaceAll(), new MessageFormatOwn(),
            new DecimalFormatOwn(), new NumberFormatOwn(), new CurrencyFormat(), new PercentFormat(),
            new CompactFormat(), new ParseNumber(), new ChoiceFormatOwn(), new CurrencyOf(),
            new CollatorOwn(), new NormalizerUse(), new BreakIteratorOwn(), new BidiOwn(),
            new CharsetByName(), new CharsetExtended(), new Utf8(), new LocaleOf(), new LocaleBuilder(),
            new Bundle(), new UpperCase(), new Intern(), new CharacterName(), new ScannerOwn(), new Tokens(),
            new Joined(), new Base64Text(), new Hex(), new NamedUuid(), new StringBufferOwn(), new Lines(),
            new Formatted(),
        };
        List<Thread> firsts = new ArrayList<>();
        List<Thread> seconds = new ArrayList<>();
        for (Between each : all) {
            // What a first use makes exists from here on.
            each.attempt(0);
            firsts.add(new Thread(each::first));
            seconds.add(new Thread(each::second));
        }
        firsts.forEach(Thread::start);
        // Long enough for the first ones to be through. No synchronization: main learns nothing from them.
        Thread.sleep(1500);
        seconds.forEach(Thread::start);
        for (Thread thread : firsts) {
            thread.join();
        }
        for (Thread thread : seconds) {
            thread.join();
        }
        System.out.println("done");
    }
}
