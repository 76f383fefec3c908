import java.util.concurrent.atomic.AtomicInteger;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.ThreadContext;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.appender.WriterAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;
import org.apache.logging.log4j.core.layout.PatternLayout;

/** Threads that log, plainly and through the ring of asynchronous loggers, while levels change. */
public class Main {
    static class Counting extends AbstractAppender {
        private final AtomicInteger seen = new AtomicInteger();

        Counting() {
            super("counting", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            seen.addAndGet(event.getMessage().getFormattedMessage().length());
        }
    }

    private static void log(String selector) throws Exception {
        System.setProperty("log4j2.contextSelector", selector);
        LoggerContext context = (LoggerContext) LogManager.getContext(false);
        Configuration configuration = context.getConfiguration();
        Counting counting = new Counting();
        counting.start();
        PatternLayout layout = PatternLayout.newBuilder().withPattern("%d %t %-5p %c{2} %X{who} %m%n").build();
        WriterAppender writer = WriterAppender.createAppender(layout, null, java.io.Writer.nullWriter(), "writer", false, true);
        writer.start();
        for (String name : configuration.getRootLogger().getAppenders().keySet()) {
            configuration.getRootLogger().removeAppender(name);
        }
        configuration.getRootLogger().addAppender(counting, Level.INFO, null);
        configuration.getRootLogger().addAppender(writer, Level.INFO, null);
        Configurator.setRootLevel(Level.INFO);
        System.out.println(Crew.work(4, rank -> {
            Logger own = LogManager.getLogger("some.name.of" + rank);
            Logger shared = LogManager.getLogger("some.name");
            ThreadContext.put("who", "crew" + rank);
            for (int number = 0; number < 200; number++) {
                own.info("message {} of {}", number, rank);
                shared.debug("not told");
                shared.warn("warned");
                if (number % 50 == 0) {
                    Configurator.setLevel("some.name.of" + rank, number % 100 == 0 ? Level.DEBUG : Level.INFO);
                }
            }
            return own.getName();
        }));
        context.stop();
        System.out.println(counting.seen);
    }

    public static void main(String[] arguments) throws Exception {
        log(arguments.length > 0 ? arguments[0] : "org.apache.logging.log4j.core.async.AsyncLoggerContextSelector");
    }
}
