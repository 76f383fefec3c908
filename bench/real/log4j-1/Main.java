import java.io.Writer;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.AsyncAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.MDC;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.WriterAppender;
import org.apache.log4j.helpers.AppenderAttachableImpl;
import org.apache.log4j.spi.LoggingEvent;

/** Threads that log to the same and to their own loggers while others add and remove appenders. */
public class Main {
    static class Counting extends AppenderSkeleton {
        private final AtomicInteger seen = new AtomicInteger();

        @Override
        protected void append(LoggingEvent event) {
            seen.incrementAndGet();
        }

        @Override
        public void close() {}

        @Override
        public boolean requiresLayout() {
            return false;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Counting counting = new Counting();
        AsyncAppender later = new AsyncAppender();
        later.addAppender(counting);
        Logger root = Logger.getRootLogger();
        root.setLevel(Level.INFO);
        root.addAppender(later);
        root.addAppender(new WriterAppender(new PatternLayout("%d{ISO8601} %t %-5p %c{2} %x %X{who} %m%n"), Writer.nullWriter()));
        // What keeps the appenders of a logger, without the logger's lock.
        AppenderAttachableImpl attached = new AppenderAttachableImpl();
        System.out.println(Crew.work(4, rank -> {
            attached.addAppender(new Counting());
            Logger own = Logger.getLogger("some.name.of" + rank);
            Logger shared = Logger.getLogger("some.name");
            MDC.put("who", "crew" + rank);
            for (int number = 0; number < Crew.part(200); number++) {
                own.info("message " + number);
                shared.debug("not told");
                shared.warn("with trace", number % 50 == 0 ? new IllegalStateException("trace") : null);
                if (number % 20 == 0) {
                    Counting passing = new Counting();
                    shared.addAppender(passing);
                    shared.isAttached(passing);
                    shared.removeAppender(passing);
                }
                if (number % 60 == 0) {
                    own.setLevel(number % 120 == 0 ? Level.INFO : null);
                }
            }
            return own.getName();
        }));
        later.close();
        System.out.println(counting.seen);
    }
}
