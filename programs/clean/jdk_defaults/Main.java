import java.io.IOException;
import java.net.Authenticator;
import java.net.CacheRequest;
import java.net.CacheResponse;
import java.net.CookieHandler;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ResponseCache;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URLConnection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import javax.net.ssl.SSLContext;

/**
 * What one thread sets as a default of the JVM or for a thread, another one gets: by volatile fields and synchronized
 * methods of the JDK.
 *
 * Every scenario runs twice, so that the second run finds all classes initialized.
 */
@SuppressWarnings("deprecation")
public class Main {
    private static final int TIMES = 20;
    private static int scenarios;

    interface Step {
        void run() throws Exception;
    }

    interface Question<T> {
        T answer() throws Exception;
    }

    static void check(boolean right) {
        if (!right) {
            throw new AssertionError();
        }
    }

    static Thread thread(Step step) {
        return new Thread(() -> {
            try {
                step.run();
            } catch (Throwable unexpected) {
                unexpected.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        });
    }

    static void pair(Step giver, Step taker) throws InterruptedException {
        Thread two = thread(taker);
        Thread one = thread(giver);
        two.start();
        one.start();
        one.join();
        two.join();
    }

    /** Two threads do the same. */
    static void both(Step step) throws InterruptedException {
        Step often = () -> {
            for (int i = 0; i < TIMES; i++) {
                step.run();
            }
        };
        pair(often, often);
    }

    static void until(Question<Boolean> question) throws Exception {
        while (!question.answer()) {
            Thread.sleep(1);
        }
    }

    /** Asks until the answer is of the type. */
    static <T> T await(Class<T> type, Question<?> question) throws Exception {
        for (;;) {
            Object answer = question.answer();
            if (type.isInstance(answer)) {
                return type.cast(answer);
            }
            Thread.sleep(1);
        }
    }

    static void twice(Step scenario) throws Exception {
        scenario.run();
        scenario.run();
        scenarios++;
    }

    static final class Cookies extends CookieHandler {
        int value;

        @Override
        public Map<String, List<String>> get(URI uri, Map<String, List<String>> headers) {
            return Map.of();
        }

        @Override
        public void put(URI uri, Map<String, List<String>> headers) {}
    }

    static void cookieHandler() throws Exception {
        CookieHandler.setDefault(null);
        pair(() -> {
            Cookies note = new Cookies();
            note.value = 7;
            CookieHandler.setDefault(note);
        }, () -> check(await(Cookies.class, CookieHandler::getDefault).value == 7));
    }

    static final class Proxies extends ProxySelector {
        int value;

        @Override
        public List<Proxy> select(URI uri) {
            return List.of(Proxy.NO_PROXY);
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
    }

    static void proxySelector() throws Exception {
        ProxySelector.setDefault(null);
        pair(() -> {
            Proxies note = new Proxies();
            note.value = 7;
            ProxySelector.setDefault(note);
        }, () -> check(await(Proxies.class, ProxySelector::getDefault).value == 7));
    }

    static final class Responses extends ResponseCache {
        int value;

        @Override
        public CacheResponse get(URI uri, String method, Map<String, List<String>> headers) {
            return null;
        }

        @Override
        public CacheRequest put(URI uri, URLConnection connection) {
            return null;
        }
    }

    static void responseCache() throws Exception {
        ResponseCache.setDefault(null);
        pair(() -> {
            Responses note = new Responses();
            note.value = 7;
            ResponseCache.setDefault(note);
        }, () -> check(await(Responses.class, ResponseCache::getDefault).value == 7));
        ResponseCache.setDefault(null);
    }

    static final class Authentication extends Authenticator {
        int value;
    }

    static void authenticator() throws Exception {
        Authenticator.setDefault(null);
        pair(() -> {
            Authentication note = new Authentication();
            note.value = 7;
            Authenticator.setDefault(note);
        }, () -> check(await(Authentication.class, Authenticator::getDefault).value == 7));
    }

    static final class Asked extends Authenticator {
        int count;

        @Override
        protected PasswordAuthentication getPasswordAuthentication() {
            count++;
            return null;
        }
    }

    /** The authenticator is asked inside its monitor. */
    static void askAuthenticator() throws Exception {
        Asked own = new Asked();
        both(() -> Authenticator.requestPasswordAuthentication(own, "host", null, 1, "http", "prompt", "basic", null, null));
        check(own.count == 2 * TIMES);
    }

    static final class Context extends SSLContext {
        int value;

        Context() {
            super(null, null, "own");
        }
    }

    static void sslContext() throws Exception {
        SSLContext.setDefault(new SSLContext(null, null, "none") {});
        pair(() -> {
            Context note = new Context();
            note.value = 7;
            SSLContext.setDefault(note);
        }, () -> check(await(Context.class, SSLContext::getDefault).value == 7));
    }

    static final class DefaultLocale {
        int value;
    }

    static void locale() throws Exception {
        DefaultLocale note = new DefaultLocale();
        Locale.setDefault(Locale.ROOT);
        pair(() -> {
            note.value = 7;
            Locale.setDefault(Locale.CANADA);
        }, () -> {
            until(() -> Locale.getDefault().equals(Locale.CANADA));
            check(note.value == 7);
        });
    }

    static final class FormatLocale {
        int value;
    }

    static void formatLocale() throws Exception {
        FormatLocale note = new FormatLocale();
        Locale.setDefault(Locale.ROOT);
        pair(() -> {
            note.value = 7;
            Locale.setDefault(Locale.Category.FORMAT, Locale.CANADA);
        }, () -> {
            until(() -> Locale.getDefault(Locale.Category.FORMAT).equals(Locale.CANADA));
            check(note.value == 7);
        });
        Locale.setDefault(Locale.ROOT);
    }

    static final class Zone {
        int value;
    }

    static void timeZone() throws Exception {
        Zone note = new Zone();
        TimeZone.setDefault(new SimpleTimeZone(0, "before"));
        pair(() -> {
            note.value = 7;
            TimeZone.setDefault(new SimpleTimeZone(0, "after"));
        }, () -> {
            until(() -> TimeZone.getDefault().getID().equals("after"));
            check(note.value == 7);
        });
    }

    static final class Caching {
        int value;
    }

    static void defaultUseCaches() throws Exception {
        Caching note = new Caching();
        URLConnection.setDefaultUseCaches("own", true);
        pair(() -> {
            note.value = 7;
            URLConnection.setDefaultUseCaches("own", false);
        }, () -> {
            until(() -> !URLConnection.getDefaultUseCaches("own"));
            check(note.value == 7);
        });
    }

    static final class DefaultHandler implements Thread.UncaughtExceptionHandler {
        int value;

        @Override
        public void uncaughtException(Thread thread, Throwable thrown) {}
    }

    static void defaultHandler() throws Exception {
        Thread.setDefaultUncaughtExceptionHandler(null);
        pair(() -> {
            DefaultHandler note = new DefaultHandler();
            note.value = 7;
            Thread.setDefaultUncaughtExceptionHandler(note);
        }, () -> check(await(DefaultHandler.class, Thread::getDefaultUncaughtExceptionHandler).value == 7));
    }

    static final class ThreadHandler implements Thread.UncaughtExceptionHandler {
        int value;

        @Override
        public void uncaughtException(Thread thread, Throwable thrown) {}
    }

    static void threadHandler() throws Exception {
        Thread thread = new Thread(() -> {});
        pair(() -> {
            ThreadHandler note = new ThreadHandler();
            note.value = 7;
            thread.setUncaughtExceptionHandler(note);
        }, () -> check(await(ThreadHandler.class, thread::getUncaughtExceptionHandler).value == 7));
    }

    static final class ThreadName {
        int value;
    }

    static void threadName() throws Exception {
        ThreadName note = new ThreadName();
        Thread thread = new Thread(() -> {});
        pair(() -> {
            note.value = 7;
            thread.setName("named");
        }, () -> {
            until(() -> thread.getName().equals("named"));
            check(note.value == 7);
        });
    }

    public static void main(String[] arguments) throws Exception {
        twice(Main::cookieHandler);
        twice(Main::proxySelector);
        twice(Main::responseCache);
        twice(Main::authenticator);
        twice(Main::askAuthenticator);
        twice(Main::sslContext);
        twice(Main::locale);
        twice(Main::formatLocale);
        twice(Main::timeZone);
        twice(Main::defaultUseCaches);
        twice(Main::defaultHandler);
        twice(Main::threadHandler);
        twice(Main::threadName);
        System.out.println(scenarios + " hand-overs");
    }
}
