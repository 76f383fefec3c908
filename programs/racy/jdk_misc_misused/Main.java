import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.util.prefs.AbstractPreferences;
import java.util.zip.Deflater;
import javax.security.auth.Subject;

/** Throwables, security objects, class loaders, registries and preferences order what is done inside their monitors, or before. */
@SuppressWarnings("serial")
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

    static final class AfterSuppressed {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterSuppressed() throws Exception {
        AfterSuppressed note = new AfterSuppressed();
        Throwable thrown = new Throwable();
        pair(() -> {
            thrown.addSuppressed(new Throwable());
            note.give();
        }, () -> {
            until(() -> thrown.getSuppressed().length > 0);
            note.take();
        });
    }

    static final class OtherCause {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    /** What is awaited is the cause of another one. */
    static void otherCause() throws Exception {
        OtherCause note = new OtherCause();
        Throwable one = new Throwable();
        Throwable two = new Throwable();
        two.initCause(one);
        pair(() -> {
            note.give();
            one.initCause(null);
        }, () -> {
            until(() -> two.getCause() != null);
            note.take();
        });
    }

    static final class AfterInput {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterInput() throws Exception {
        AfterInput note = new AfterInput();
        Deflater deflater = new Deflater();
        pair(() -> {
            deflater.setInput(new byte[1]);
            note.give();
        }, () -> {
            until(() -> !deflater.needsInput());
            note.take();
        });
        deflater.end();
    }

    static final class AfterDestroy {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterDestroy() throws Exception {
        AfterDestroy note = new AfterDestroy();
        KeyStore.PasswordProtection password = new KeyStore.PasswordProtection(new char[1]);
        pair(() -> {
            password.destroy();
            note.give();
        }, () -> {
            until(() -> password.isDestroyed());
            note.take();
        });
    }

    static final class AfterCredential {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterCredential() throws Exception {
        AfterCredential note = new AfterCredential();
        Subject subject = new Subject();
        pair(() -> {
            subject.getPublicCredentials().add("own");
            note.give();
        }, () -> {
            until(() -> !subject.getPublicCredentials().isEmpty());
            note.take();
        });
    }

    static final class Generator extends SecureRandomSpi {
        private int count;

        @Override
        protected void engineSetSeed(byte[] seed) {}

        @Override
        protected void engineNextBytes(byte[] bytes) {
            count++; // race: reads writes count
        }

        @Override
        protected byte[] engineGenerateSeed(int length) {
            return new byte[length];
        }
    }

    static final class Generated extends SecureRandom {
        Generated(Generator generator) {
            super(generator, null);
        }
    }

    /** One generator behind two objects, each with its own monitor. */
    static void twoGenerators() throws Exception {
        Generator own = new Generator();
        SecureRandom one = new Generated(own);
        SecureRandom two = new Generated(own);
        pair(() -> one.nextBytes(new byte[1]), () -> two.nextBytes(new byte[1]));
    }

    static final class Loader extends ClassLoader {
        static {
            registerAsParallelCapable();
        }

        private int count;

        Loader() {
            super(null);
        }

        @Override
        protected Class<?> findClass(String name) {
            count++; // race: reads writes count
            return Object.class;
        }
    }

    /** A loader that works in parallel has a lock for each name. */
    static void twoNames() throws Exception {
        Loader own = new Loader();
        pair(() -> own.loadClass("missing.One"), () -> own.loadClass("missing.Two"));
    }

    public interface Value extends Remote {
        int take() throws RemoteException;
    }

    static final class AfterBind implements Value {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        @Override
        public int take() {
            return value; // race: reads value
        }
    }

    /** A remote object is written after it was bound. */
    static void afterExport() throws Exception {
        Registry registry = LocateRegistry.createRegistry(0);
        AfterBind note = new AfterBind();
        pair(() -> {
            registry.bind("own", note);
            note.give();
        }, () -> {
            until(() -> registry.list().length > 0);
            ((Value) registry.lookup("own")).take();
        });
        UnicastRemoteObject.unexportObject(registry, true);
    }

    static final class AfterPreference {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static final class Node extends AbstractPreferences {
        private String kept;

        Node() {
            super(null, "");
        }

        @Override
        protected void putSpi(String key, String value) {
            kept = value;
        }

        @Override
        protected String getSpi(String key) {
            return kept;
        }

        @Override
        protected void removeSpi(String key) {}

        @Override
        protected void removeNodeSpi() {}

        @Override
        protected String[] keysSpi() {
            return new String[0];
        }

        @Override
        protected String[] childrenNamesSpi() {
            return new String[0];
        }

        @Override
        protected AbstractPreferences childSpi(String name) {
            return null;
        }

        @Override
        protected void syncSpi() {}

        @Override
        protected void flushSpi() {}
    }

    static void afterPreference() throws Exception {
        AfterPreference note = new AfterPreference();
        Node node = new Node();
        pair(() -> {
            node.put("key", "value");
            note.give();
        }, () -> {
            until(() -> node.get("key", null) != null);
            note.take();
        });
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
        afterSuppressed();
        otherCause();
        afterInput();
        afterDestroy();
        afterCredential();
        twoGenerators();
        twoNames();
        afterExport();
        afterPreference();
        System.out.println("9 misuses");
        System.exit(0); // threads of remote calls may wait for more
    }
}
