import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AccessController;
import java.security.AlgorithmParameters;
import java.security.CodeSource;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.Permissions;
import java.security.PrivilegedAction;
import java.security.ProtectionDomain;
import java.security.SecureRandom;
import java.security.Security;
import java.security.Signature;
import java.security.cert.CertPathValidator;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.PropertyPermission;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SealedObject;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.security.auth.Subject;
import javax.security.auth.x500.X500Principal;

/**
 * Two threads that encrypt, sign and digest, each with its own objects, are not ordered by the providers. Each API
 * was used before by main.
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

    static final KeyPair[] RSA = new KeyPair[3];
    static final KeyPair[] EC = new KeyPair[3];

    static SecretKeySpec key(int who) {
        return new SecretKeySpec(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, (byte) who}, "AES");
    }

    static byte[] bytes(int who) {
        return ("text of " + who).getBytes(StandardCharsets.UTF_8);
    }

    static byte[] signed(String algorithm, KeyPair keys, int who) throws Exception {
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(keys.getPrivate());
        signature.update(bytes(who));
        byte[] signed = signature.sign();
        signature.initVerify(keys.getPublic());
        signature.update(bytes(who));
        if (!signature.verify(signed)) {
            throw new AssertionError();
        }
        return signed;
    }

    static class Md5 extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return MessageDigest.getInstance("MD5").digest(bytes(who)); }
    }

    static class Sha256 extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return MessageDigest.getInstance("SHA-256").digest(bytes(who)); }
    }

    static class Sha3 extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return MessageDigest.getInstance("SHA3-256").digest(bytes(who)); }
    }

    static class DigestClone extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ((MessageDigest) MessageDigest.getInstance("SHA-1").clone()).digest(bytes(who)); }
    }

    static class HmacSha extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key(who));
            return mac.doFinal(bytes(who));
        }
    }

    static class AesCbc extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
            cipher.init(Cipher.ENCRYPT_MODE, key(who), new IvParameterSpec(new byte[16]));
            return cipher.doFinal(bytes(who));
        }
    }

    static class AesGcm extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, key(who), new GCMParameterSpec(128, new byte[12]));
            return cipher.doFinal(bytes(who));
        }
    }

    static class CipherOwnVector extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
            cipher.init(Cipher.ENCRYPT_MODE, key(who));
            return cipher.doFinal(bytes(who));
        }
    }

    static class CipherLimits extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Cipher.getMaxAllowedKeyLength("AES"); }
    }

    static class AesKey extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return KeyGenerator.getInstance("AES").generateKey().getEncoded(); }
    }

    static class Password extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            PBEKeySpec password = new PBEKeySpec(new char[] {'a', (char) ('a' + who)}, new byte[8], 10, 128);
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(password).getEncoded();
        }
    }

    static class RsaKeys extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(512);
            return generator.generateKeyPair();
        }
    }

    static class RsaSign extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return signed("SHA256withRSA", RSA[who], who); }
    }

    static class RsaCipher extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Cipher cipher = Cipher.getInstance("RSA/ECB/PKCS1Padding");
            cipher.init(Cipher.ENCRYPT_MODE, RSA[who].getPublic());
            byte[] encrypted = cipher.doFinal(bytes(who));
            cipher.init(Cipher.DECRYPT_MODE, RSA[who].getPrivate());
            return cipher.doFinal(encrypted);
        }
    }

    static class RsaFactory extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            BigInteger modulus = BigInteger.ONE.shiftLeft(600).add(BigInteger.valueOf(who * 2L + 1));
            return KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, BigInteger.valueOf(65537)));
        }
    }

    static class EcKeys extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        }
    }

    static class EcSign extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return signed("SHA256withECDSA", EC[who], who); }
    }

    static class EcAgreement extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
            agreement.init(EC[who].getPrivate());
            agreement.doPhase(EC[who].getPublic(), true);
            return agreement.generateSecret();
        }
    }

    static class X25519 extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            KeyPair keys = KeyPairGenerator.getInstance("X25519").generateKeyPair();
            KeyAgreement agreement = KeyAgreement.getInstance("X25519");
            agreement.init(keys.getPrivate());
            agreement.doPhase(keys.getPublic(), true);
            return agreement.generateSecret();
        }
    }

    static class Ed25519 extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return signed("Ed25519", KeyPairGenerator.getInstance("Ed25519").generateKeyPair(), who); }
    }

    static class Parameters extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
            parameters.init(new ECGenParameterSpec("secp384r1"));
            return parameters.getEncoded();
        }
    }

    static class Sealed extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Cipher cipher = Cipher.getInstance("AES");
            cipher.init(Cipher.ENCRYPT_MODE, key(who));
            return new SealedObject("text" + who, cipher).getObject(key(who));
        }
    }

    static class OwnStore extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setEntry("key", new KeyStore.SecretKeyEntry(key(who)), new KeyStore.PasswordProtection(new char[] {'a'}));
            store.store(new ByteArrayOutputStream(), new char[] {'a'});
            return store.size();
        }
    }

    static class Certificates extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(new byte[0])).size();
        }
    }

    static class CertificateStore extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return CertStore.getInstance("Collection", new CollectionCertStoreParameters()).getCertificates(null).size();
        }
    }

    static class Validator extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return CertPathValidator.getInstance("PKIX").getRevocationChecker(); }
    }

    static class Tls extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, null, null);
            return context.createSSLEngine().getSupportedProtocols();
        }
    }

    static class TlsDefault extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return SSLContext.getDefault().createSSLEngine("own" + who, 443).getEnabledCipherSuites(); }
    }

    static class TlsSockets extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return SSLSocketFactory.getDefault(); }
    }

    static class Trust extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            return factory.getTrustManagers();
        }
    }

    static class KeyManagers extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
            factory.init(null, null);
            return factory.getKeyManagers();
        }
    }

    static class Providers extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return Security.getProviders("Cipher.AES").length + Security.getAlgorithms("Signature").size();
        }
    }

    static class SecurityProperty extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return String.valueOf(Security.getProperty("keystore.type")); }
    }

    static class RandomBytes extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            byte[] bytes = new byte[8];
            new SecureRandom().nextBytes(bytes);
            return bytes;
        }
    }

    @SuppressWarnings("removal")
    static class Privileged extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return AccessController.doPrivileged((PrivilegedAction<Integer>) () -> who); }
    }

    static class OwnSubject extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Subject subject = new Subject();
            subject.getPrincipals().add(new X500Principal("CN=own" + who));
            return subject.toString();
        }
    }

    static class Domain extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Permissions permissions = new Permissions();
            permissions.add(new PropertyPermission("own" + who, "read"));
            CodeSource source = new CodeSource(null, (Certificate[]) null);
            return new ProtectionDomain(source, permissions).implies(new PropertyPermission("own" + who, "read"));
        }
    }

    public static void main(String[] arguments) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(1024);
        KeyPairGenerator curves = KeyPairGenerator.getInstance("EC");
        curves.initialize(new ECGenParameterSpec("secp256r1"));
        for (int who = 0; who < 3; who++) {
            RSA[who] = generator.generateKeyPair();
            EC[who] = curves.generateKeyPair();
        }
        Between[] all = {
            new Md5(), new Sha256(), new Sha3(), new DigestClone(), new HmacSha(), new AesCbc(), new AesGcm(),
            new CipherOwnVector(), new CipherLimits(), new AesKey(), new Password(), new RsaKeys(),
            new RsaSign(), new RsaCipher(), new RsaFactory(), new EcKeys(), new EcSign(), new EcAgreement(),
            new X25519(), new Ed25519(), new Parameters(), new Sealed(), new OwnStore(), new Certificates(),
            new CertificateStore(), new Validator(), new Tls(), new TlsDefault(), new TlsSockets(),
            new Trust(), new KeyManagers(), new Providers(), new SecurityProperty(), new RandomBytes(),
            new Privileged(), new OwnSubject(), new Domain(),
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
