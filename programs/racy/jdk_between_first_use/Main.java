import java.beans.Introspector;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.ref.Cleaner;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.text.MessageFormat;
import java.text.NumberFormat;
import java.text.SimpleDateFormat;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.parsers.DocumentBuilderFactory;

/**
 * Two threads that use an API, the first of them as the first one in the program, are not ordered by what that
 * sets up for both. Nothing was used before.
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

    record Pair(int one, String two) {}

    public static class Bean implements Supplier<String> {
        public String get() {
            return "bean";
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

    static class Concat extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return "a" + who + 'b' + (who * 2L); }
    }

    static class StringFormat extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return String.format("%d %s %.3f", who, "text", 1.5 * who); }
    }

    static class MessageFormatOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return MessageFormat.format("{0} of {1,number,integer}", "text", who); }
    }

    static class Regex extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Pattern.compile("(\\p{Lu}+)(b*)" + who).matcher("Xaab" + who).find(); }
    }

    static class RandomUuid extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return UUID.randomUUID(); }
    }

    static class NewRandom extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new Random().nextInt(7) + Math.random() + ThreadLocalRandom.current().nextInt(); }
    }

    static class Logs extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Logger logger = Logger.getLogger("own" + who);
            logger.setUseParentHandlers(false);
            logger.log(new LogRecord(Level.INFO, "text"));
            return this;
        }
    }

    static class SystemLogs extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return System.getLogger("system" + who).isLoggable(System.Logger.Level.INFO); }
    }

    static class Formatter extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return DateTimeFormatter.ofPattern("yyyy-MM-dd EEEE", Locale.FRANCE).format(LocalDate.of(2020, 1, 1 + who));
        }
    }

    static class Zoned extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return ZonedDateTime.of(2020, 1, 1 + who, 1, 1, 1, 1, ZoneId.of("Europe/Paris")).toInstant();
        }
    }

    static class SimpleFormat extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new SimpleDateFormat("yyyy-MM-dd zzzz", Locale.FRANCE).format(new Date(who)); }
    }

    static class CalendarNow extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Calendar.getInstance().get(Calendar.YEAR); }
    }

    static class Numbers extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return NumberFormat.getCurrencyInstance(Locale.GERMANY).format(who * 1234.5); }
    }

    static class CharsetByName extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new String(("text" + who).getBytes(Charset.forName("Shift_JIS")), "Shift_JIS"); }
    }

    static class Digest extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return MessageDigest.getInstance("SHA-256").digest(("text" + who).getBytes(StandardCharsets.UTF_8));
        }
    }

    static class MacOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(new byte[] {1, (byte) who}, "HmacSHA256"));
            return mac.doFinal();
        }
    }

    static class Client extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return HttpClient.newBuilder().executor(Runnable::run).build().version(); }
    }

    static class Requested extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return HttpRequest.newBuilder(URI.create("http://example.org/" + who)).build().method(); }
    }

    static class UriToUrl extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return URI.create("file:/own" + who).toURL().getPath(); }
    }

    static class Address extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return InetAddress.getByName("127.0.0." + (1 + who)).getHostAddress(); }
    }

    static class ReadFile extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Files.exists(Path.of("none" + who)) || Files.isDirectory(Path.of("/")); }
    }

    static class Xml extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument().createElement("a" + who);
        }
    }

    static class Lambdas extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return IntStream.range(0, 7 + who).boxed().collect(Collectors.groupingBy(i -> i % 3, Collectors.counting()));
        }
    }

    static class Records extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new Pair(who, "two").toString() + new Pair(who, "two").equals(new Pair(1, "two")); }
    }

    static class Handle extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return MethodHandles.lookup().findVirtual(String.class, "length", MethodType.methodType(int.class)).invoke("text" + who);
        }
    }

    static class Reflection extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Bean.class.getMethod("get").invoke(new Bean()); }
    }

    static class Proxied extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Class<?>[] types = {Supplier.class};
            Object proxy = Proxy.newProxyInstance(Main.class.getClassLoader(), types, (self, method, arguments) -> "own" + who);
            return ((Supplier<?>) proxy).get();
        }
    }

    static class Beans extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Introspector.getBeanInfo(Bean.class).getPropertyDescriptors().length; }
    }

    static class Services extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ServiceLoader.load(Supplier.class).findFirst().isPresent(); }
    }

    static class Uptime extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return ManagementFactory.getRuntimeMXBean().getUptime() + ManagementFactory.getThreadMXBean().getThreadCount();
        }
    }

    static class Serialized extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream());
            out.writeObject(Map.of("a", List.of(who, 2.5)));
            out.close();
            return this;
        }
    }

    static class BigIntegers extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return BigInteger.valueOf(7 + who).pow(77).toString(17); }
    }

    static class OwnPool extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            ExecutorService pool = Executors.newFixedThreadPool(1);
            pool.submit(Thread::yield).get();
            pool.shutdown();
            return this;
        }
    }

    static class OwnTimer extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            new Timer(true).cancel();
            return this;
        }
    }

    static class OwnCleaner extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Cleaner.create().register(new Object(), Thread::yield).clean();
            return this;
        }
    }

    static class Encoded extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return Base64.getEncoder().encodeToString(new byte[] {1, (byte) who}) + new AtomicInteger(who).incrementAndGet();
        }
    }

    static class Resource extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Main.class.getResource("Main.class").getPath(); }
    }

    public static void main(String[] arguments) throws Exception {
        Between[] all = {
            new Println(), new Concat(), new StringFormat(), new MessageFormatOwn(), new Regex(),
            new RandomUuid(), new NewRandom(), new Logs(), new SystemLogs(), new Formatter(), new Zoned(),
            new SimpleFormat(), new CalendarNow(), new Numbers(), new CharsetByName(), new Digest(),
            new MacOwn(), new Client(), new Requested(), new UriToUrl(), new Address(), new ReadFile(),
            new Xml(), new Lambdas(), new Records(), new Handle(), new Reflection(), new Proxied(),
            new Beans(), new Services(), new Uptime(), new Serialized(), new BigIntegers(), new OwnPool(),
            new OwnTimer(), new OwnCleaner(), new Encoded(), new Resource(),
        };
        List<Thread> firsts = new ArrayList<>();
        List<Thread> seconds = new ArrayList<>();
        for (Between each : all) {
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
