import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.util.ListResourceBundle;
import java.util.logging.ErrorManager;
import java.util.logging.Filter;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.MemoryHandler;
import java.util.logging.StreamHandler;

/**
 * Loggers and handlers hand over: the program's streams and handlers run inside their monitors (on 25 formatters do not), and what
 * one thread sets, another one gets.
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

    private static final LogRecord RECORD = new LogRecord(Level.INFO, "logged");
    private static int names;

    // The program's own filters, streams and handlers inside the monitors of handlers.

    static final class InStream extends OutputStream {
        int count;

        @Override
        public void write(int octet) {
            count++;
        }
    }

    static void stream() throws Exception {
        InStream own = new InStream();
        StreamHandler handler = new StreamHandler(own, new Constant("x"));
        both(() -> {
            handler.publish(RECORD);
            handler.flush();
        });
        check(own.count == 2 * TIMES);
    }

    static final class InTarget extends Handler {
        int count;

        @Override
        public void publish(LogRecord record) {
            count++;
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    static void target() throws Exception {
        InTarget own = new InTarget();
        MemoryHandler handler = new MemoryHandler(own, 1, Level.ALL);
        both(() -> handler.publish(RECORD));
        check(own.count == 2 * TIMES);
    }

    static final class Parameter {
        int value;
    }

    static final class Parameters extends Handler {
        int count;

        @Override
        public void publish(LogRecord record) {
            count += ((Parameter) record.getParameters()[0]).value;
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    /** One thread logs, another one pushes. */
    static void push() throws Exception {
        LogRecord record = new LogRecord(Level.INFO, "pushed");
        Parameters own = new Parameters();
        MemoryHandler handler = new MemoryHandler(own, 1, Level.OFF);
        pair(() -> {
            Parameter note = new Parameter();
            note.value = 7;
            record.setParameters(new Object[] {note});
            handler.publish(record);
        }, () -> until(() -> {
            handler.push();
            return own.count == 7;
        }));
    }

    /** Always the same text. */
    static final class Constant extends Formatter {
        private final String text;

        Constant(String text) {
            this.text = text;
        }

        @Override
        public String format(LogRecord record) {
            return text;
        }
    }

    // What is set is seen by whoever gets it.

    static final class OwnFormatter extends Formatter {
        int value;

        @Override
        public String format(LogRecord record) {
            return "";
        }
    }

    static void setFormatter() throws Exception {
        Handler handler = new StreamHandler();
        pair(() -> {
            OwnFormatter note = new OwnFormatter();
            note.value = 7;
            handler.setFormatter(note);
        }, () -> check(await(OwnFormatter.class, handler::getFormatter).value == 7));
    }

    static final class OwnFilter implements Filter {
        int value;

        @Override
        public boolean isLoggable(LogRecord record) {
            return true;
        }
    }

    static void setFilter() throws Exception {
        Handler handler = new StreamHandler();
        pair(() -> {
            OwnFilter note = new OwnFilter();
            note.value = 7;
            handler.setFilter(note);
        }, () -> check(await(OwnFilter.class, handler::getFilter).value == 7));
    }

    static final class OwnLevel extends Level {
        int value;

        OwnLevel() {
            super("own", 1);
        }
    }

    static void setLevel() throws Exception {
        Handler handler = new StreamHandler();
        pair(() -> {
            OwnLevel note = new OwnLevel();
            note.value = 7;
            handler.setLevel(note);
        }, () -> check(await(OwnLevel.class, handler::getLevel).value == 7));
    }

    static final class OwnErrors extends ErrorManager {
        int value;
    }

    static void setErrorManager() throws Exception {
        Handler handler = new StreamHandler();
        pair(() -> {
            OwnErrors note = new OwnErrors();
            note.value = 7;
            handler.setErrorManager(note);
        }, () -> check(await(OwnErrors.class, handler::getErrorManager).value == 7));
    }

    static final class Encoding {
        int value;
    }

    static void setEncoding() throws Exception {
        Encoding note = new Encoding();
        Handler handler = new StreamHandler();
        pair(() -> {
            note.value = 7;
            handler.setEncoding("UTF-8");
        }, () -> {
            until(() -> "UTF-8".equals(handler.getEncoding()));
            check(note.value == 7);
        });
    }

    static final class ClosedHandler {
        int value;
    }

    static void closeHandler() throws Exception {
        ClosedHandler note = new ClosedHandler();
        Handler handler = new StreamHandler(OutputStream.nullOutputStream(), new Constant("x"));
        pair(() -> {
            note.value = 7;
            handler.close();
        }, () -> {
            until(() -> !handler.isLoggable(RECORD));
            check(note.value == 7);
        });
    }

    static final class PushLevel extends Level {
        int value;

        PushLevel() {
            super("own", 1);
        }
    }

    static void setPushLevel() throws Exception {
        MemoryHandler handler = new MemoryHandler(new StreamHandler(), 1, Level.OFF);
        pair(() -> {
            PushLevel note = new PushLevel();
            note.value = 7;
            handler.setPushLevel(note);
        }, () -> check(await(PushLevel.class, handler::getPushLevel).value == 7));
    }

    static final class LoggerLevel extends Level {
        int value;

        LoggerLevel() {
            super("own", 1);
        }
    }

    static void setLoggerLevel() throws Exception {
        Logger logger = Logger.getAnonymousLogger();
        pair(() -> {
            LoggerLevel note = new LoggerLevel();
            note.value = 7;
            logger.setLevel(note);
        }, () -> check(await(LoggerLevel.class, logger::getLevel).value == 7));
    }

    static final class Loggable {
        int value;
    }

    static void isLoggable() throws Exception {
        Loggable note = new Loggable();
        Logger logger = Logger.getAnonymousLogger();
        pair(() -> {
            note.value = 7;
            logger.setLevel(Level.FINEST);
        }, () -> {
            until(() -> logger.isLoggable(Level.FINEST));
            check(note.value == 7);
        });
    }

    static final class LoggerFilter implements Filter {
        int value;

        @Override
        public boolean isLoggable(LogRecord record) {
            return true;
        }
    }

    static void setLoggerFilter() throws Exception {
        Logger logger = Logger.getAnonymousLogger();
        pair(() -> {
            LoggerFilter note = new LoggerFilter();
            note.value = 7;
            logger.setFilter(note);
        }, () -> check(await(LoggerFilter.class, logger::getFilter).value == 7));
    }

    static final class LoggerParent extends Logger {
        int value;

        LoggerParent() {
            super(null, null);
        }
    }

    static void setParent() throws Exception {
        Logger logger = Logger.getAnonymousLogger();
        pair(() -> {
            LoggerParent note = new LoggerParent();
            note.value = 7;
            logger.setParent(note);
        }, () -> check(await(LoggerParent.class, logger::getParent).value == 7));
    }

    static final class UseParent {
        int value;
    }

    static void setUseParentHandlers() throws Exception {
        UseParent note = new UseParent();
        Logger logger = Logger.getAnonymousLogger();
        pair(() -> {
            note.value = 7;
            logger.setUseParentHandlers(false);
        }, () -> {
            until(() -> !logger.getUseParentHandlers());
            check(note.value == 7);
        });
    }

    static final class Bundle extends ListResourceBundle {
        int value;

        @Override
        protected Object[][] getContents() {
            return new Object[0][];
        }

        @Override
        public String getBaseBundleName() {
            return "bundle";
        }
    }

    static void setResourceBundle() throws Exception {
        Logger logger = Logger.getAnonymousLogger();
        pair(() -> {
            Bundle note = new Bundle();
            note.value = 7;
            logger.setResourceBundle(note);
        }, () -> check(await(Bundle.class, logger::getResourceBundle).value == 7));
    }

    static final class Added extends Handler {
        int value;

        @Override
        public void publish(LogRecord record) {}

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    static void addHandler() throws Exception {
        Logger logger = Logger.getAnonymousLogger();
        pair(() -> {
            Added note = new Added();
            note.value = 7;
            logger.addHandler(note);
        }, () -> check(await(Added.class, () -> logger.getHandlers().length > 0 ? logger.getHandlers()[0] : null).value == 7));
    }

    static final class Named extends Logger {
        int value;

        Named(String name) {
            super(name, null);
        }
    }

    static void addLogger() throws Exception {
        String name = "named" + names++;
        LogManager manager = LogManager.getLogManager();
        Named[] kept = new Named[1];
        pair(() -> {
            Named note = new Named(name);
            note.value = 7;
            kept[0] = note;
            manager.addLogger(note);
        }, () -> check(await(Named.class, () -> manager.getLogger(name)).value == 7));
        check(kept[0].value == 7);
    }

    static final class Configured {
        int value;
    }

    static void readConfiguration() throws Exception {
        Configured note = new Configured();
        LogManager manager = LogManager.getLogManager();
        String key = "own.key" + names++;
        pair(() -> {
            note.value = 7;
            manager.readConfiguration(new ByteArrayInputStream((key + "=x").getBytes()));
        }, () -> {
            until(() -> manager.getProperty(key) != null);
            check(note.value == 7);
        });
    }

    public static void main(String[] arguments) throws Exception {
        twice(Main::stream);
        twice(Main::target);
        twice(Main::push);
        twice(Main::setFormatter);
        twice(Main::setFilter);
        twice(Main::setLevel);
        twice(Main::setErrorManager);
        twice(Main::setEncoding);
        twice(Main::closeHandler);
        twice(Main::setPushLevel);
        twice(Main::setLoggerLevel);
        twice(Main::isLoggable);
        twice(Main::setLoggerFilter);
        twice(Main::setParent);
        twice(Main::setUseParentHandlers);
        twice(Main::setResourceBundle);
        twice(Main::addHandler);
        twice(Main::addLogger);
        twice(Main::readConfiguration);
        System.out.println(scenarios + " hand-overs");
    }
}
