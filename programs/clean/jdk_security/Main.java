import java.security.KeyStore;
import java.security.Principal;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.security.cert.Certificate;
import javax.security.auth.Subject;

/**
 * Random numbers, subjects and key stores hand over: by volatile fields, synchronized collections, and monitors in which the
 * program's own generator runs.
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

    static final class Random extends SecureRandomSpi {
        int count;

        @Override
        protected void engineSetSeed(byte[] seed) {
            count++;
        }

        @Override
        protected void engineNextBytes(byte[] bytes) {
            count++;
        }

        @Override
        protected byte[] engineGenerateSeed(int length) {
            count++;
            return new byte[length];
        }
    }

    static void secureRandom() throws Exception {
        Random own = new Random();
        SecureRandom random = new SecureRandom(own, null) {};
        both(() -> {
            random.nextBytes(new byte[1]);
            random.setSeed(new byte[1]);
            random.generateSeed(1);
        });
        check(own.count == 6 * TIMES);
    }

    static final class OwnPrincipal implements Principal {
        int value;

        @Override
        public String getName() {
            return "own";
        }
    }

    static void principals() throws Exception {
        Subject subject = new Subject();
        pair(() -> {
            OwnPrincipal note = new OwnPrincipal();
            note.value = 7;
            subject.getPrincipals().add(note);
        }, () -> check(await(OwnPrincipal.class, () -> subject.getPrincipals().toArray().length > 0 ? subject.getPrincipals().toArray()[0] : null).value == 7));
    }

    static final class Credential {
        int value;
    }

    static void credentials() throws Exception {
        Subject subject = new Subject();
        pair(() -> {
            Credential note = new Credential();
            note.value = 7;
            subject.getPublicCredentials().add(note);
        }, () -> check(await(Credential.class, () -> subject.getPublicCredentials(Credential.class).toArray().length > 0 ? subject.getPublicCredentials(Credential.class).toArray()[0] : null).value == 7));
    }

    static final class ReadOnly {
        int value;
    }

    static void readOnly() throws Exception {
        ReadOnly note = new ReadOnly();
        Subject subject = new Subject();
        pair(() -> {
            note.value = 7;
            subject.setReadOnly();
        }, () -> {
            until(() -> subject.isReadOnly());
            check(note.value == 7);
        });
    }

    static final class Destroyed {
        int value;
    }

    static void destroyPassword() throws Exception {
        Destroyed note = new Destroyed();
        KeyStore.PasswordProtection password = new KeyStore.PasswordProtection(new char[1]);
        pair(() -> {
            note.value = 7;
            password.destroy();
        }, () -> {
            until(() -> password.isDestroyed());
            check(note.value == 7);
        });
    }

    static final class OwnCertificate extends Certificate {
        int value;

        OwnCertificate() {
            super("own");
        }

        @Override
        public byte[] getEncoded() {
            return new byte[0];
        }

        @Override
        public void verify(PublicKey key) {}

        @Override
        public void verify(PublicKey key, String provider) {}

        @Override
        public String toString() {
            return "own";
        }

        @Override
        public PublicKey getPublicKey() {
            return null;
        }
    }

    static void keyStore() throws Exception {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        pair(() -> {
            OwnCertificate note = new OwnCertificate();
            note.value = 7;
            store.setCertificateEntry("own", note);
        }, () -> check(await(OwnCertificate.class, () -> store.getCertificate("own")).value == 7));
    }

    public static void main(String[] arguments) throws Exception {
        twice(Main::secureRandom);
        twice(Main::principals);
        twice(Main::credentials);
        twice(Main::readOnly);
        twice(Main::destroyPassword);
        twice(Main::keyStore);
        System.out.println(scenarios + " hand-overs");
    }
}
