import java.net.URL;
import java.net.URLClassLoader;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.ListResourceBundle;
import java.util.Locale;
import java.util.Map;
import java.util.Observable;
import java.util.Properties;
import java.util.ResourceBundle;
import java.util.Stack;
import java.util.Vector;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Throwables, compressors, class loaders, bundles, signals and old collections hand over what was done before they were
 * changed, or call the program inside their monitors.
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

    private static int names;

    static final class Suppressed extends Exception {
        int value;
    }

    static void addSuppressed() throws Exception {
        Throwable thrown = new Throwable();
        pair(() -> {
            Suppressed note = new Suppressed();
            note.value = 7;
            thrown.addSuppressed(note);
        }, () -> check(await(Suppressed.class, () -> thrown.getSuppressed().length > 0 ? thrown.getSuppressed()[0] : null).value == 7));
    }

    static final class Cause extends Exception {
        int value;
    }

    static void initCause() throws Exception {
        Throwable thrown = new Throwable();
        pair(() -> {
            Cause note = new Cause();
            note.value = 7;
            thrown.initCause(note);
        }, () -> check(await(Cause.class, thrown::getCause).value == 7));
    }

    static final class Trace {
        int value;
    }

    static void setStackTrace() throws Exception {
        Trace note = new Trace();
        Throwable thrown = new Throwable();
        pair(() -> {
            note.value = 7;
            thrown.setStackTrace(new StackTraceElement[0]);
        }, () -> {
            until(() -> thrown.getStackTrace().length == 0);
            check(note.value == 7);
        });
    }

    static final class Next extends SQLException {
        int value;
    }

    static void nextException() throws Exception {
        SQLException thrown = new SQLException();
        pair(() -> {
            Next note = new Next();
            note.value = 7;
            thrown.setNextException(note);
        }, () -> check(await(Next.class, thrown::getNextException).value == 7));
    }

    static final class Deflated {
        int value;
    }

    static void deflater() throws Exception {
        Deflated note = new Deflated();
        Deflater deflater = new Deflater();
        pair(() -> {
            note.value = 7;
            deflater.setInput(new byte[1]);
        }, () -> {
            until(() -> !deflater.needsInput());
            check(note.value == 7);
        });
        deflater.end();
    }

    static final class Finished {
        int value;
    }

    static void deflate() throws Exception {
        Finished note = new Finished();
        Deflater deflater = new Deflater();
        pair(() -> {
            note.value = 7;
            deflater.setInput(new byte[1]);
            deflater.finish();
        }, () -> {
            until(() -> {
                deflater.deflate(new byte[9]);
                return deflater.finished();
            });
            check(note.value == 7);
        });
        deflater.end();
    }

    static final class Inflated {
        int value;
    }

    static void inflater() throws Exception {
        Inflated note = new Inflated();
        Inflater inflater = new Inflater();
        pair(() -> {
            note.value = 7;
            inflater.setInput(new byte[1]);
        }, () -> {
            until(() -> inflater.getRemaining() == 1);
            check(note.value == 7);
        });
        inflater.end();
    }

    static final class Ended {
        int value;
    }

    static void endOfInflater() throws Exception {
        Ended note = new Ended();
        Inflater inflater = new Inflater();
        pair(() -> {
            note.value = 7;
            inflater.end();
        }, () -> {
            until(() -> fails(RuntimeException.class, inflater::getBytesRead));
            check(note.value == 7);
        });
    }

    static final class Loader extends ClassLoader {
        int count;

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            count++;
            throw new ClassNotFoundException(name);
        }
    }

    static void findClass() throws Exception {
        Loader own = new Loader();
        both(() -> check(fails(ClassNotFoundException.class, () -> own.loadClass("missing.Class"))));
        check(own.count == 2 * TIMES);
    }

    static final class ParallelLoader extends ClassLoader {
        static {
            registerAsParallelCapable();
        }

        int count;

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            count++;
            throw new ClassNotFoundException(name);
        }
    }

    /** Classes of one name are found one at a time. */
    static void findClassInParallel() throws Exception {
        ParallelLoader own = new ParallelLoader();
        both(() -> check(fails(ClassNotFoundException.class, () -> own.loadClass("missing.Class"))));
        check(own.count == 2 * TIMES);
    }

    static final class Paths extends URLClassLoader {
        int value;

        Paths() {
            super(new URL[0]);
        }

        @Override
        public void addURL(URL url) {
            super.addURL(url);
        }
    }

    static void addUrl() throws Exception {
        Paths own = new Paths();
        pair(() -> {
            own.value = 7;
            own.addURL(new URL("file:/missing/"));
        }, () -> {
            until(() -> own.getURLs().length > 0);
            check(own.value == 7);
        });
        own.close();
    }

    static final class Observed extends Observable {
        int value;

        void change() {
            value = 7;
            setChanged();
        }
    }

    static void observable() throws Exception {
        Observed own = new Observed();
        pair(own::change, () -> {
            until(own::hasChanged);
            check(own.value == 7);
        });
    }

    static final class Bundle extends ListResourceBundle {
        int value;

        @Override
        protected Object[][] getContents() {
            return new Object[0][];
        }
    }

    static final class Control extends ResourceBundle.Control {
        @Override
        public ResourceBundle newBundle(String name, Locale locale, String format, ClassLoader loader, boolean reload) {
            Bundle bundle = new Bundle();
            bundle.value = 7;
            return bundle;
        }
    }

    /** Whoever comes first makes the bundle; the other one finds it in the cache. */
    static void resourceBundle() throws Exception {
        String name = "bundle" + names++;
        Control control = new Control();
        both(() -> check(((Bundle) ResourceBundle.getBundle(name, Locale.ROOT, control)).value == 7));
    }

    static final class Signalled implements SignalHandler {
        int value;
        int seen;
        final CountDownLatch done = new CountDownLatch(1);

        @Override
        public void handle(Signal signal) {
            seen = value;
            done.countDown();
        }
    }

    /** The thread that runs a signal's handler finds it in a table. */
    static void signal() throws Exception {
        Signal signal = new Signal("WINCH");
        Signal.handle(signal, SignalHandler.SIG_IGN);
        CountDownLatch done = new CountDownLatch(1);
        Thread giver = thread(() -> {
            Signalled note = new Signalled();
            note.value = 7;
            Signal.handle(signal, note);
            do {
                Signal.raise(signal);
            } while (!note.done.await(50, TimeUnit.MILLISECONDS));
            done.countDown();
        });
        giver.start();
        done.await();
        giver.join();
        Signal.handle(signal, SignalHandler.SIG_DFL);
    }

    static final class InVector {
        int value;
    }

    static void vector() throws Exception {
        Vector<Object> vector = new Vector<>();
        pair(() -> {
            InVector note = new InVector();
            note.value = 7;
            vector.add(note);
        }, () -> check(await(InVector.class, () -> vector.isEmpty() ? null : vector.get(0)).value == 7));
    }

    static final class InStack {
        int value;
    }

    static void stack() throws Exception {
        Stack<Object> stack = new Stack<>();
        pair(() -> {
            InStack note = new InStack();
            note.value = 7;
            stack.push(note);
        }, () -> check(await(InStack.class, () -> stack.empty() ? null : stack.peek()).value == 7));
    }

    static final class InHashtable {
        int value;
    }

    static void hashtable() throws Exception {
        Hashtable<String, Object> table = new Hashtable<>();
        pair(() -> {
            InHashtable note = new InHashtable();
            note.value = 7;
            table.put("own", note);
        }, () -> check(await(InHashtable.class, () -> table.get("own")).value == 7));
    }

    static final class InProperties {
        int value;
    }

    static void properties() throws Exception {
        Properties properties = new Properties();
        pair(() -> {
            InProperties note = new InProperties();
            note.value = 7;
            properties.put("own", note);
        }, () -> check(await(InProperties.class, () -> properties.get("own")).value == 7));
    }

    static final class InSynchronizedMap {
        int value;
    }

    static void synchronizedMap() throws Exception {
        Map<String, Object> map = Collections.synchronizedMap(new HashMap<>());
        pair(() -> {
            InSynchronizedMap note = new InSynchronizedMap();
            note.value = 7;
            map.put("own", note);
        }, () -> check(await(InSynchronizedMap.class, () -> map.get("own")).value == 7));
    }

    public static void main(String[] arguments) throws Exception {
        twice(Main::addSuppressed);
        twice(Main::initCause);
        twice(Main::setStackTrace);
        twice(Main::nextException);
        twice(Main::deflater);
        twice(Main::deflate);
        twice(Main::inflater);
        twice(Main::endOfInflater);
        twice(Main::findClass);
        twice(Main::findClassInParallel);
        twice(Main::addUrl);
        twice(Main::observable);
        twice(Main::resourceBundle);
        twice(Main::signal);
        twice(Main::vector);
        twice(Main::stack);
        twice(Main::hashtable);
        twice(Main::properties);
        twice(Main::synchronizedMap);
        System.out.println(scenarios + " hand-overs");
    }
}
