import java.nio.file.attribute.FileTime;
import java.text.DateFormat;
import java.text.DateFormatSymbols;
import java.text.SimpleDateFormat;
import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.chrono.Chronology;
import java.time.chrono.HijrahDate;
import java.time.chrono.IsoChronology;
import java.time.chrono.JapaneseDate;
import java.time.chrono.ThaiBuddhistDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DecimalStyle;
import java.time.format.FormatStyle;
import java.time.format.TextStyle;
import java.time.temporal.IsoFields;
import java.time.temporal.WeekFields;
import java.time.zone.ZoneRulesProvider;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;

/**
 * Two threads that ask for the time, and compute and format dates, each its own, are not ordered by it. Each API
 * was used before by main.
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

    static class Pattern extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm EEEE", Locale.FRANCE).format(LocalDateTime.of(2020, 1, 1 + who, 1, 1));
        }
    }

    static class Localized extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return DateTimeFormatter.ofLocalizedDate(FormatStyle.FULL).withLocale(Locale.US).format(LocalDate.of(2020, 2, 1 + who));
        }
    }

    static class IsoFormat extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(OffsetDateTime.of(2020, 1, 1 + who, 1, 1, 1, 1, ZoneOffset.UTC));
        }
    }

    static class IsoParse extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return LocalDate.parse("2020-01-1" + who); }
    }

    static class LocalizedPattern extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return DateTimeFormatterBuilder.getLocalizedDateTimePattern(FormatStyle.SHORT, null, IsoChronology.INSTANCE, Locale.US);
        }
    }

    static class BuiltFormatter extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return new DateTimeFormatterBuilder().appendPattern("HH:mm").toFormatter(Locale.UK).parse("1" + who + ":17");
        }
    }

    static class InstantNow extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Instant.now().plusSeconds(who); }
    }

    static class LocalNow extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return LocalDateTime.now().plusDays(who); }
    }

    static class ZonedNow extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ZonedDateTime.now(ZoneId.of("Europe/Paris")).toString(); }
    }

    static class ZoneTransitions extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return ZoneId.of("America/New_York").getRules().nextTransition(Instant.ofEpochSecond(1_900_000_000L + who));
        }
    }

    static class ZoneFarYear extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return ZonedDateTime.of(2060 + who, 7, 1, 1, 1, 1, 1, ZoneId.of("Europe/Berlin")).toOffsetDateTime();
        }
    }

    static class ZoneIds extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ZoneId.getAvailableZoneIds().contains("Europe/Rome"); }
    }

    static class ZoneRulesOf extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ZoneRulesProvider.getRules("Asia/Tokyo", false).isFixedOffset(); }
    }

    static class ZoneOffsetOf extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ZoneOffset.ofTotalSeconds(900 * (who + 5)).getId(); }
    }

    static class ZoneName extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ZoneId.of("Europe/Paris").getDisplayName(TextStyle.FULL, Locale.ENGLISH); }
    }

    static class SystemZone extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ZoneId.systemDefault().getId(); }
    }

    static class ClockOf extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Clock.tickSeconds(ZoneOffset.UTC).millis(); }
    }

    static class ClockSystem extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Clock.systemDefaultZone().instant(); }
    }

    static class Durations extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Duration.between(LocalTime.of(1, who), LocalTime.NOON).toString(); }
    }

    static class Periods extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Period.between(LocalDate.of(2020, 1, 1 + who), LocalDate.EPOCH).toString(); }
    }

    static class YearMonthOf extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return YearMonth.of(2020, 1 + who).atEndOfMonth().toString(); }
    }

    static class Weeks extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return LocalDate.of(2020, 1, 1 + who).get(WeekFields.of(Locale.FRANCE).weekOfYear()); }
    }

    static class Quarter extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return LocalDate.of(2020, 1, 1 + who).get(IsoFields.QUARTER_OF_YEAR); }
    }

    static class DayName extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return DayOfWeek.of(1 + who).getDisplayName(TextStyle.FULL, Locale.GERMANY); }
    }

    static class Japanese extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return JapaneseDate.of(2020, 1, 1 + who).toString(); }
    }

    static class ThaiBuddhist extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ThaiBuddhistDate.of(2560, 1, 1 + who).toString(); }
    }

    static class Hijrah extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return HijrahDate.of(1440, 1, 1 + who).toString(); }
    }

    static class ChronologyOf extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Chronology.of("Minguo").date(LocalDate.of(2020, 1, 1 + who)).toString(); }
    }

    static class DecimalStyleOf extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return DecimalStyle.of(Locale.FRANCE).getDecimalSeparator(); }
    }

    static class SimpleFormat extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return new SimpleDateFormat("yyyy-MM-dd zzzz", Locale.FRANCE).format(new Date(who * 1_000_000L));
        }
    }

    static class SimpleParse extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new SimpleDateFormat("yyyy-MM-dd", Locale.US).parse("2020-01-1" + who); }
    }

    static class DateFormatOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return DateFormat.getDateTimeInstance(DateFormat.LONG, DateFormat.LONG, Locale.US).format(new Date(who));
        }
    }

    static class Symbols extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return DateFormatSymbols.getInstance(Locale.ITALY).getMonths()[who]; }
    }

    static class CalendarNow extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Calendar.getInstance().get(Calendar.YEAR); }
    }

    static class CalendarOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Calendar calendar = new GregorianCalendar(2020, Calendar.MAY, 1 + who);
            calendar.add(Calendar.MONTH, who);
            return calendar.getTime();
        }
    }

    static class DateText extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new Date(who).toString(); }
    }

    static class TimeZoneOf extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return TimeZone.getTimeZone("America/Chicago").getOffset(who); }
    }

    static class TimeZoneName extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return TimeZone.getTimeZone("Asia/Tokyo").getDisplayName(false, TimeZone.LONG, Locale.US); }
    }

    static class TimeZoneDefault extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return TimeZone.getDefault().getRawOffset(); }
    }

    static class SimpleZone extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new SimpleTimeZone(1000 * who, "own").getID(); }
    }

    static class Nanos extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return System.nanoTime() + System.currentTimeMillis() + TimeUnit.DAYS.toSeconds(who); }
    }

    static class FileTimeOf extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return FileTime.fromMillis(who).toString(); }
    }

    static class SqlTimestamp extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return java.sql.Timestamp.valueOf("2020-01-01 01:01:0" + who).toLocalDateTime(); }
    }

    public static void main(String[] arguments) throws Exception {
        Between[] all = {
            new Pattern(), new Localized(), new IsoFormat(), new IsoParse(), new LocalizedPattern(),
            new BuiltFormatter(), new InstantNow(), new LocalNow(), new ZonedNow(), new ZoneTransitions(),
            new ZoneFarYear(), new ZoneIds(), new ZoneRulesOf(), new ZoneOffsetOf(), new ZoneName(),
            new SystemZone(), new ClockOf(), new ClockSystem(), new Durations(), new Periods(),
            new YearMonthOf(), new Weeks(), new Quarter(), new DayName(), new Japanese(), new ThaiBuddhist(),
            new Hijrah(), new ChronologyOf(), new DecimalStyleOf(), new SimpleFormat(), new SimpleParse(),
            new DateFormatOwn(), new Symbols(), new CalendarNow(), new CalendarOwn(), new DateText(),
            new TimeZoneOf(), new TimeZoneName(), new TimeZoneDefault(), new SimpleZone(), new Nanos(),
            new FileTimeOf(), new SqlTimestamp(),
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
