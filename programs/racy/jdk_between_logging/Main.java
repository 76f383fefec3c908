import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.ConsoleHandler;
import java.util.logging.ErrorManager;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.MemoryHandler;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import java.util.logging.XMLFormatter;
import java.util.prefs.AbstractPreferences;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.MBeanServerFactory;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/**
 * Two threads that log to loggers of their own, ask the platform's beans or print stack traces are not ordered by
 * it. Each API was used before by main.
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

    static final Logger[] LOGGERS = new Logger[3];
    static final System.Logger[] SYSTEM_LOGGERS = new System.Logger[3];
    // Kept: that one was collected would order all threads that log.
    static final Logger[] NEW_LOGGERS = new Logger[3];
    static final Logger[] ANONYMOUS_LOGGERS = new Logger[3];

    /** A handler that drops what it formats. */
    static Handler handler() {
        return new StreamHandler(OutputStream.nullOutputStream(), new SimpleFormatter());
    }

    public interface OwnMBean {
        int getValue();
    }

    public static class Own implements OwnMBean {
        public int getValue() {
            return 1;
        }
    }

    static class Memory extends AbstractPreferences {
        final Map<String, String> values = new HashMap<>();

        Memory() {
            super(null, "");
        }

        protected void putSpi(String key, String value) {
            values.put(key, value);
        }

        protected String getSpi(String key) {
            return values.get(key);
        }

        protected void removeSpi(String key) {
            values.remove(key);
        }

        protected void removeNodeSpi() {}

        protected String[] keysSpi() {
            return values.keySet().toArray(new String[0]);
        }

        protected String[] childrenNamesSpi() {
            return new String[0];
        }

        protected AbstractPreferences childSpi(String name) {
            throw new IllegalArgumentException(name);
        }

        protected void syncSpi() {}

        protected void flushSpi() {}
    }

    static class NewRecord extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new LogRecord(Level.INFO, "text" + who).getLongThreadID(); }
    }

    static class Logs extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            LOGGERS[who].info("text" + who);
            return this;
        }
    }

    static class LogsLazily extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            LOGGERS[who].log(Level.WARNING, new IllegalStateException(), () -> "text" + who);
            return this;
        }
    }

    static class LogsParameters extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            LOGGERS[who].log(Level.INFO, "{0} of {1}", new Object[] {"text", who});
            return this;
        }
    }

    static class LogsNothing extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            LOGGERS[who].fine("text" + who);
            return LOGGERS[who].isLoggable(Level.FINEST);
        }
    }

    static class NamedLogger extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Logger.getLogger("own" + who).getName(); }
    }

    static class NewLogger extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            NEW_LOGGERS[who] = Logger.getLogger(getClass().getName() + who);
            return NEW_LOGGERS[who].getParent().getName();
        }
    }

    static class AnonymousLogger extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Logger logger = Logger.getAnonymousLogger();
            ANONYMOUS_LOGGERS[who] = logger;
            logger.setUseParentHandlers(false);
            logger.addHandler(handler());
            logger.info("text");
            return this;
        }
    }

    static class LoggerLevel extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            LOGGERS[who].setLevel(Level.INFO);
            return LOGGERS[who].getLevel();
        }
    }

    static class OwnStreamHandler extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            Handler handler = new StreamHandler(bytes, new XMLFormatter());
            handler.publish(new LogRecord(Level.INFO, "text" + who));
            handler.close();
            return bytes.size();
        }
    }

    static class OwnMemoryHandler extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Handler handler = new MemoryHandler(handler(), 4, Level.SEVERE);
            handler.publish(new LogRecord(Level.INFO, "text" + who));
            handler.close();
            return this;
        }
    }

    static class ConsoleHandlerOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            new ConsoleHandler().publish(new LogRecord(Level.INFO, "text" + who));
            return this;
        }
    }

    static class FormatsRecord extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new SimpleFormatter().format(new LogRecord(Level.INFO, "text" + who)); }
    }

    static class OwnErrorManager extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Handler handler = handler();
            handler.setErrorManager(new ErrorManager());
            return handler.getErrorManager();
        }
    }

    static class LevelOf extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Level.parse("WARNING").getLocalizedName() + Level.parse("80" + who); }
    }

    static class ManagerNames extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return LogManager.getLogManager().getLoggerNames().hasMoreElements(); }
    }

    static class ManagerProperty extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return String.valueOf(LogManager.getLogManager().getProperty("own." + who)); }
    }

    static class SystemLogger extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return System.getLogger("system" + who).getName(); }
    }

    static class SystemLogs extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            SYSTEM_LOGGERS[who].log(System.Logger.Level.DEBUG, "text");
            return SYSTEM_LOGGERS[who].isLoggable(System.Logger.Level.ERROR);
        }
    }

    static class StackTrace extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            StringWriter text = new StringWriter();
            new IllegalStateException("text", new IllegalArgumentException()).printStackTrace(new PrintWriter(text));
            return text.toString();
        }
    }

    static class StackTraceError extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            new Throwable("error of " + who).printStackTrace();
            return this;
        }
    }

    static class StackElements extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return new Throwable().getStackTrace()[0].getMethodName() + Thread.currentThread().getStackTrace()[1];
        }
    }

    static class OwnSuppressed extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Throwable failure = new IllegalStateException();
            failure.addSuppressed(new IllegalArgumentException());
            return failure.initCause(new Error()).getSuppressed();
        }
    }

    static class Walked extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            StackWalker walker = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
            return walker.walk(frames -> frames.map(StackWalker.StackFrame::getDeclaringClass).count());
        }
    }

    static class AllTraces extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Thread.getAllStackTraces().size(); }
    }

    static class Uptime extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return ManagementFactory.getRuntimeMXBean().getUptime() + ManagementFactory.getRuntimeMXBean().getVmName();
        }
    }

    static class MemoryUsage extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(); }
    }

    static class MemoryPools extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return ManagementFactory.getMemoryPoolMXBeans().stream().filter(pool -> pool.getType() == MemoryType.HEAP).count();
        }
    }

    static class Collectors extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(collector -> collector.getCollectionCount()).sum();
        }
    }

    static class ThreadBean extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return ManagementFactory.getThreadMXBean().getThreadInfo(Thread.currentThread().getId()).getThreadState();
        }
    }

    static class CpuTime extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime(); }
    }

    static class SystemLoad extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(); }
    }

    static class ClassesLoaded extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return ManagementFactory.getClassLoadingMXBean().getLoadedClassCount()
                    + ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
        }
    }

    static class NewObjectName extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new ObjectName("own:type=Own,name=n" + who).getCanonicalName(); }
    }

    static class BeanAttribute extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return ManagementFactory.getPlatformMBeanServer().getAttribute(new ObjectName("java.lang:type=Runtime"), "Pid");
        }
    }

    static class BeanQuery extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName("java.lang:*"), null).size();
        }
    }

    static class OwnBean extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new StandardMBean(new Own(), OwnMBean.class).getAttribute("Value"); }
    }

    static class OwnBeanServer extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return MBeanServerFactory.newMBeanServer("own" + who).getDefaultDomain(); }
    }

    static class OwnNotifications extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            NotificationBroadcasterSupport support = new NotificationBroadcasterSupport();
            support.addNotificationListener((notification, back) -> Thread.yield(), null, null);
            support.sendNotification(new Notification("own", this, who));
            return new AttributeList(List.of(new Attribute("a", who)));
        }
    }

    static class OwnPreferences extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Memory preferences = new Memory();
            preferences.put("a", "b" + who);
            return preferences.get("a", "none");
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int who = 0; who < 3; who++) {
            LOGGERS[who] = Logger.getLogger("own" + who);
            LOGGERS[who].setUseParentHandlers(false);
            LOGGERS[who].addHandler(handler());
            Logger.getLogger("system" + who).setUseParentHandlers(false);
            SYSTEM_LOGGERS[who] = System.getLogger("system" + who);
        }
        Between[] all = {
            new NewRecord(), new Logs(), new LogsLazily(), new LogsParameters(), new LogsNothing(),
            new NamedLogger(), new NewLogger(), new AnonymousLogger(), new LoggerLevel(),
            new OwnStreamHandler(), new OwnMemoryHandler(), new ConsoleHandlerOwn(), new FormatsRecord(),
            new OwnErrorManager(), new LevelOf(), new ManagerNames(), new ManagerProperty(),
            new SystemLogger(), new SystemLogs(), new StackTrace(), new StackTraceError(),
            new StackElements(), new OwnSuppressed(), new Walked(), new AllTraces(), new Uptime(),
            new MemoryUsage(), new MemoryPools(), new Collectors(), new ThreadBean(), new CpuTime(),
            new SystemLoad(), new ClassesLoaded(), new NewObjectName(), new BeanAttribute(), new BeanQuery(),
            new OwnBean(), new OwnBeanServer(), new OwnNotifications(), new OwnPreferences(),
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
