import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Digests, signatures and ciphers that two threads feed at once, and a stream that both write objects to. */
public class Main {
    private static final byte[] DATA = new byte[40];
    private static MessageDigest digest, otherDigest;
    private static Mac mac;
    private static Cipher cipher, sealing;
    private static Signature signature;
    private static ObjectOutputStream objects;

    static void digest() {
        digest.update(DATA); // race: reads writes MessageDigest
    }

    static void finished() {
        otherDigest.digest(); // race: reads writes MessageDigest
    }

    static void mac() {
        mac.doFinal(DATA); // race: reads writes Mac
    }

    static void cipher() {
        cipher.update(DATA); // race: reads writes Cipher
    }

    static void sealing() throws Exception {
        sealing.doFinal(DATA); // race: reads writes Cipher
    }

    static void signature() throws Exception {
        signature.update(DATA); // race: reads writes Signature
    }

    static void objects() throws Exception {
        objects.writeObject("text"); // race: reads writes ObjectOutputStream
    }

    interface Work {
        void run() throws Exception;
    }

    /** An object that two threads use at once may fail, which is not what is tested. */
    static void attempt(Work work) {
        try {
            work.run();
        } catch (Exception anything) {
            // As said.
        }
    }

    static void both(Work work) throws InterruptedException {
        Thread other = new Thread(() -> attempt(work));
        other.start();
        Thread.sleep(10);
        attempt(work);
        other.join();
    }

    public static void main(String[] arguments) throws Exception {
        digest = MessageDigest.getInstance("SHA-256");
        otherDigest = MessageDigest.getInstance("MD5");
        mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(new byte[32], "HmacSHA256"));
        cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "AES"), new IvParameterSpec(new byte[16]));
        sealing = Cipher.getInstance("AES/GCM/NoPadding");
        sealing.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "AES"), new GCMParameterSpec(128, new byte[12]));
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(1024);
        KeyPair keys = generator.generateKeyPair();
        signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(keys.getPrivate());
        objects = new ObjectOutputStream(new ByteArrayOutputStream());
        both(Main::digest);
        both(Main::finished);
        both(Main::mac);
        both(Main::cipher);
        both(Main::sealing);
        both(Main::signature);
        both(Main::objects);
        System.out.println("done");
    }
}
