import java.io.OutputStream;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.PasswordAuthentication;
import java.sql.DriverManager;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;

/** What is set hands over what was done before, to whoever gets it from there: nothing that is done later or set elsewhere. */
public class Main {
    interface Step {
        void run() throws Exception;
    }

    interface Question {
        boolean holds() throws Exception;
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

    static void until(Question question) throws Exception {
        while (!question.holds()) {
            Thread.sleep(1);
        }
    }

    static final class TwoHandlers extends Formatter {
        private int count;

        @Override
        public String format(LogRecord record) {
            count++; // race: reads writes count
            return "";
        }
    }

    /** One formatter for two handlers, each with its own monitor. */
    static void twoHandlers() throws Exception {
        TwoHandlers own = new TwoHandlers();
        LogRecord record = new LogRecord(Level.INFO, "logged");
        StreamHandler one = new StreamHandler(OutputStream.nullOutputStream(), own);
        StreamHandler two = new StreamHandler(OutputStream.nullOutputStream(), own);
        pair(() -> one.publish(record), () -> two.publish(record));
    }

    static final class AfterLevel {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterLevel() throws Exception {
        AfterLevel note = new AfterLevel();
        Logger logger = Logger.getAnonymousLogger();
        pair(() -> {
            logger.setLevel(Level.FINEST);
            note.give();
        }, () -> {
            until(() -> logger.isLoggable(Level.FINEST));
            note.take();
        });
    }

    static final class AfterEncoding {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterEncoding() throws Exception {
        AfterEncoding note = new AfterEncoding();
        StreamHandler handler = new StreamHandler();
        pair(() -> {
            handler.setEncoding("UTF-8");
            note.give();
        }, () -> {
            until(() -> handler.getEncoding() != null);
            note.take();
        });
    }

    static final class OtherLogger {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    /** What is awaited is another logger. */
    static void otherLogger() throws Exception {
        OtherLogger note = new OtherLogger();
        Logger one = Logger.getAnonymousLogger();
        Logger two = Logger.getAnonymousLogger();
        two.setLevel(Level.FINEST);
        pair(() -> {
            note.give();
            one.setLevel(Level.FINEST);
        }, () -> {
            until(() -> two.isLoggable(Level.FINEST));
            note.take();
        });
    }

    static final class EarlyLevel {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    /** The logger is asked once, before its level is set. */
    static void earlyLevel() throws Exception {
        EarlyLevel note = new EarlyLevel();
        AtomicBoolean looked = new AtomicBoolean();
        Logger logger = Logger.getAnonymousLogger();
        pair(() -> {
            while (!looked.getOpaque()) {
                Thread.onSpinWait();
            }
            note.give();
            logger.setLevel(Level.FINEST);
        }, () -> {
            logger.isLoggable(Level.FINEST);
            note.take();
            looked.setOpaque(true);
        });
    }

    static final class AfterHandler {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterDefaultHandler() throws Exception {
        AfterHandler note = new AfterHandler();
        Thread.setDefaultUncaughtExceptionHandler(null);
        pair(() -> {
            Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {});
            note.give();
        }, () -> {
            until(() -> Thread.getDefaultUncaughtExceptionHandler() != null);
            note.take();
        });
    }

    static final class AfterAuthenticator {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterAuthenticator() throws Exception {
        AfterAuthenticator note = new AfterAuthenticator();
        Authenticator.setDefault(null);
        pair(() -> {
            Authenticator.setDefault(new Authenticator() {});
            note.give();
        }, () -> {
            until(() -> Authenticator.getDefault() != null);
            note.take();
        });
        Authenticator.setDefault(null);
    }

    static final class AfterCookies {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterCookies() throws Exception {
        AfterCookies note = new AfterCookies();
        CookieHandler.setDefault(null);
        pair(() -> {
            CookieHandler.setDefault(new CookieManager());
            note.give();
        }, () -> {
            until(() -> CookieHandler.getDefault() != null);
            note.take();
        });
    }

    static final class AfterDriver {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterLoginTimeout() throws Exception {
        AfterDriver note = new AfterDriver();
        DriverManager.setLoginTimeout(0);
        pair(() -> {
            DriverManager.setLoginTimeout(7);
            note.give();
        }, () -> {
            until(() -> DriverManager.getLoginTimeout() == 7);
            note.take();
        });
    }

    static final class Asked {
        private int count;

        void ask() {
            count++; // race: reads writes count
        }
    }

    static final class Asking extends Authenticator {
        private final Asked asked;

        Asking(Asked asked) {
            this.asked = asked;
        }

        @Override
        protected PasswordAuthentication getPasswordAuthentication() {
            asked.ask();
            return null;
        }
    }

    /** Each authenticator is asked inside its own monitor; they count together. */
    static void twoAuthenticators() throws Exception {
        Asked asked = new Asked();
        Asking one = new Asking(asked);
        Asking two = new Asking(asked);
        pair(() -> ask(one), () -> ask(two));
    }

    static void ask(Authenticator authenticator) {
        Authenticator.requestPasswordAuthentication(authenticator, "host", null, 1, "http", "prompt", "basic", null, null);
    }

    public static void main(String[] arguments) throws Exception {
        twoHandlers();
        afterLevel();
        afterEncoding();
        otherLogger();
        earlyLevel();
        afterDefaultHandler();
        afterAuthenticator();
        afterCookies();
        afterLoginTimeout();
        twoAuthenticators();
        System.out.println("10 misuses");
    }
}
