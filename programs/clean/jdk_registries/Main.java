import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.MalformedURLException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.net.URLStreamHandlerFactory;
import java.rmi.server.RMIFailureHandler;
import java.rmi.server.RMISocketFactory;
import java.security.Provider;
import java.security.Security;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.util.Properties;
import java.util.logging.Logger;
import javax.naming.spi.NamingManager;

/**
 * What one thread registers with the JDK or sets as a property, another one gets.
 *
 * Every scenario runs twice, so that the second run finds all classes initialized.
 */
@SuppressWarnings({"deprecation", "serial"})
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

    static boolean fails(Class<? extends Exception> how, Step step) throws Exception {
        try {
            step.run();
            return false;
        } catch (Exception thrown) {
            if (how.isInstance(thrown)) {
                return true;
            }
            throw thrown;
        }
    }

    static void twice(Step scenario) throws Exception {
        scenario.run();
        scenario.run();
        scenarios++;
    }

    /** For what can be set once in a JVM. */
    static void once(Step scenario) throws Exception {
        scenario.run();
        scenarios++;
    }

    static final class OwnDriver implements Driver {
        int value;

        @Override
        public Connection connect(String url, Properties info) {
            return null;
        }

        @Override
        public boolean acceptsURL(String url) {
            return false;
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return value;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() {
            return null;
        }
    }

    static void driver() throws Exception {
        pair(() -> {
            OwnDriver note = new OwnDriver();
            note.value = 7;
            DriverManager.registerDriver(note);
        }, () -> check(await(Driver.class, () -> DriverManager.drivers().findAny().orElse(null)).getMajorVersion() == 7));
        DriverManager.deregisterDriver(DriverManager.drivers().findAny().get());
    }

    static final class InDriverLog extends Writer {
        int count;

        @Override
        public void write(char[] from, int offset, int length) {
            count++;
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    static void driverLog() throws Exception {
        InDriverLog own = new InDriverLog();
        DriverManager.setLogWriter(new PrintWriter(own));
        both(() -> DriverManager.println("logged"));
        check(own.count > 0);
    }

    static final class DriverWriter extends PrintWriter {
        int value;

        DriverWriter() {
            super(Writer.nullWriter());
        }
    }

    static void driverWriter() throws Exception {
        DriverManager.setLogWriter(null);
        pair(() -> {
            DriverWriter note = new DriverWriter();
            note.value = 7;
            DriverManager.setLogWriter(note);
        }, () -> check(await(DriverWriter.class, DriverManager::getLogWriter).value == 7));
    }

    static final class LoginTimeout {
        int value;
    }

    static void loginTimeout() throws Exception {
        LoginTimeout note = new LoginTimeout();
        DriverManager.setLoginTimeout(0);
        pair(() -> {
            note.value = 7;
            DriverManager.setLoginTimeout(7);
        }, () -> {
            until(() -> DriverManager.getLoginTimeout() == 7);
            check(note.value == 7);
        });
    }

    static final class Property {
        int value;
    }

    static void systemProperty() throws Exception {
        Property note = new Property();
        System.clearProperty("own");
        pair(() -> {
            note.value = 7;
            System.setProperty("own", "x");
        }, () -> {
            until(() -> System.getProperty("own") != null);
            check(note.value == 7);
        });
    }

    static final class PropertyObject {
        int value;
    }

    static void systemProperties() throws Exception {
        System.getProperties().remove("own");
        pair(() -> {
            PropertyObject note = new PropertyObject();
            note.value = 7;
            System.getProperties().put("own", note);
        }, () -> check(await(PropertyObject.class, () -> System.getProperties().get("own")).value == 7));
        System.getProperties().remove("own");
    }

    static final class SecurityProperty {
        int value;
    }

    static void securityProperty() throws Exception {
        SecurityProperty note = new SecurityProperty();
        Security.setProperty("own", "before");
        pair(() -> {
            note.value = 7;
            Security.setProperty("own", "after");
        }, () -> {
            until(() -> Security.getProperty("own").equals("after"));
            check(note.value == 7);
        });
    }

    static final class OwnProvider extends Provider {
        int value;

        OwnProvider() {
            super("own", "1", "hands over");
        }
    }

    static void provider() throws Exception {
        pair(() -> {
            OwnProvider note = new OwnProvider();
            note.value = 7;
            Security.addProvider(note);
        }, () -> check(await(OwnProvider.class, () -> Security.getProvider("own")).value == 7));
        Security.removeProvider("own");
    }

    static final class Provided {
        int value;
    }

    static void providerEntry() throws Exception {
        OwnProvider provider = new OwnProvider();
        pair(() -> {
            Provided note = new Provided();
            note.value = 7;
            provider.put("key", note);
        }, () -> check(await(Provided.class, () -> provider.get("key")).value == 7));
    }

    static final class Failures implements RMIFailureHandler {
        int value;

        @Override
        public boolean failure(Exception failure) {
            return false;
        }
    }

    static void rmiFailureHandler() throws Exception {
        RMISocketFactory.setFailureHandler(null);
        pair(() -> {
            Failures note = new Failures();
            note.value = 7;
            RMISocketFactory.setFailureHandler(note);
        }, () -> check(await(Failures.class, RMISocketFactory::getFailureHandler).value == 7));
    }

    static final class RmiSockets extends RMISocketFactory {
        int value;

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return new Socket(host, port);
        }

        @Override
        public ServerSocket createServerSocket(int port) throws IOException {
            return new ServerSocket(port);
        }
    }

    static void rmiSocketFactory() throws Exception {
        pair(() -> {
            RmiSockets note = new RmiSockets();
            note.value = 7;
            RMISocketFactory.setSocketFactory(note);
        }, () -> check(await(RmiSockets.class, RMISocketFactory::getSocketFactory).value == 7));
    }

    static final class SerialFilter implements ObjectInputFilter {
        int value;

        @Override
        public Status checkInput(FilterInfo info) {
            return Status.UNDECIDED;
        }
    }

    static void serialFilter() throws Exception {
        pair(() -> {
            SerialFilter note = new SerialFilter();
            note.value = 7;
            ObjectInputFilter.Config.setSerialFilter(note);
        }, () -> check(await(SerialFilter.class, ObjectInputFilter.Config::getSerialFilter).value == 7));
    }

    static final class Contexts {
        int value;
    }

    static void initialContexts() throws Exception {
        Contexts note = new Contexts();
        pair(() -> {
            note.value = 7;
            NamingManager.setInitialContextFactoryBuilder(environment -> null);
        }, () -> {
            until(NamingManager::hasInitialContextFactoryBuilder);
            check(note.value == 7);
        });
    }

    static final class Protocols implements URLStreamHandlerFactory {
        int value;
        int seen;

        @Override
        public URLStreamHandler createURLStreamHandler(String protocol) {
            seen = value;
            return protocol.equals("own") ? new Protocol() : null;
        }
    }

    static final class Protocol extends URLStreamHandler {
        @Override
        protected URLConnection openConnection(URL url) {
            return null;
        }
    }

    static void protocols() throws Exception {
        pair(() -> {
            Protocols note = new Protocols();
            note.value = 7;
            URL.setURLStreamHandlerFactory(note);
        }, () -> until(() -> !fails(MalformedURLException.class, () -> new URL("own:x"))));
    }

    public static void main(String[] arguments) throws Exception {
        twice(Main::driver);
        twice(Main::driverLog);
        twice(Main::driverWriter);
        twice(Main::loginTimeout);
        twice(Main::systemProperty);
        twice(Main::systemProperties);
        twice(Main::securityProperty);
        twice(Main::provider);
        twice(Main::providerEntry);
        twice(Main::rmiFailureHandler);
        once(Main::rmiSocketFactory);
        once(Main::serialFilter);
        once(Main::initialContexts);
        once(Main::protocols);
        System.out.println(scenarios + " hand-overs");
    }
}
