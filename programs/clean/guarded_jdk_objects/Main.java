import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.text.ChoiceFormat;
import java.text.MessageFormat;
import java.util.Date;
import java.util.Formatter;
import java.util.IntSummaryStatistics;
import java.util.Locale;
import java.util.Scanner;
import java.util.StringTokenizer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpression;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/**
 * Objects that are not safe for many threads, used rightly: by one thread at a time under a lock, handed from one to the next,
 * and made anew in each thread.
 */
public class Main {
    /** One object of each kind, and what to do with them. */
    static final class Kit {
        private final Date date = new Date(0);
        private final java.sql.Timestamp timestamp = new java.sql.Timestamp(0);
        private final Matcher matcher = Pattern.compile("(b+)(a?)").matcher("abbabba");
        private final Scanner scanner = new Scanner("1 2 3 4 5 6 7 8 9 10 11 12");
        private final StringTokenizer tokens = new StringTokenizer("1 2 3 4 5 6 7 8 9 10 11 12");
        private final Formatter formatter = new Formatter(Locale.ROOT);
        private final MessageFormat message = new MessageFormat("{0,number,#.##} {1,date,yyyy}", Locale.ROOT);
        private final ChoiceFormat choice = new ChoiceFormat("0#none|1#one|1<many");
        private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
        private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        private final ByteBuffer bytes = ByteBuffer.allocate(100);
        private final ByteBuffer direct = ByteBuffer.allocateDirect(100);
        private final CharBuffer chars = bytes.duplicate().asCharBuffer();
        private final IntSummaryStatistics statistics = new IntSummaryStatistics();
        private final Stream.Builder<String> builder = Stream.builder();
        private final AttributeList attributes = new AttributeList();
        private final MessageDigest digest = MessageDigest.getInstance("SHA-256");
        private final Mac mac = Mac.getInstance("HmacSHA256");
        private final Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
        private final Cipher sealing = Cipher.getInstance("AES/GCM/NoPadding");
        private final Signature signature = Signature.getInstance("SHA256withRSA");
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private final ObjectOutputStream objects = new ObjectOutputStream(written);
        private final Document document;
        private final XPath path = XPathFactory.newInstance().newXPath();
        private final XPathExpression expression = path.compile("//three");
        private final SecretKeySpec key = new SecretKeySpec(new byte[16], "AES");
        private int uses;

        Kit(KeyPair keys) throws Exception {
            mac.init(new SecretKeySpec(new byte[32], "HmacSHA256"));
            cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(new byte[16]));
            signature.initSign(keys.getPrivate());
            String text = "<all><one/><two><three/></two></all>";
            document = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                    .parse(new InputSource(new StringReader(text)));
        }

        int use() throws Exception {
            int sum = ++uses;
            date.setTime(date.getTime() + 1);
            timestamp.setNanos(timestamp.getNanos() + 1);
            sum += date.toString().length() - date.toString().length();
            matcher.reset();
            while (matcher.find()) {
                sum += matcher.group(1).length() + matcher.replaceAll("c").length() - 5;
            }
            sum += scanner.nextInt() + tokens.nextToken().length() + tokens.countTokens();
            sum += formatter.format("%d %s", 1, "text").toString().length();
            sum += message.format(new Object[] {1.5, date}).length() + choice.format(1).length();
            bytes.clear();
            sum += encoder.encode(CharBuffer.wrap("text"), bytes, true).isUnderflow() ? 1 : 0;
            encoder.reset();
            bytes.flip();
            sum += decoder.decode(bytes).length();
            bytes.clear();
            bytes.put(3, (byte) 1).putInt(uses).get(3);
            direct.clear();
            direct.putLong(1).put(bytes.flip()).flip();
            sum += direct.remaining() + chars.get(0);
            statistics.accept(uses);
            builder.add("text");
            attributes.add(new Attribute("name", "value"));
            digest.update((byte) 1);
            sum += digest.digest(new byte[40]).length + mac.doFinal(new byte[10]).length;
            sum += cipher.update(new byte[40]).length + cipher.doFinal().length;
            sealing.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, new byte[] {(byte) uses, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
            sum += sealing.doFinal(new byte[40]).length;
            signature.update(new byte[40]);
            sum += signature.sign().length;
            objects.writeObject(new Date(0));
            objects.flush();
            document.getDocumentElement().setAttribute("name", "value");
            document.getDocumentElement().appendChild(document.createElement("four"));
            sum += document.getDocumentElement().getChildNodes().item(1).getNodeName().length();
            path.setXPathVariableResolver(name -> null);
            sum += expression.evaluate(document, XPathConstants.NODESET) == null ? 0 : 1;
            return sum;
        }

        int read() throws Exception {
            int found = 0;
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(written.toByteArray()))) {
                while (found < uses && in.readObject() instanceof Date) {
                    found++;
                }
            }
            return found;
        }
    }

    interface Work {
        void run() throws Exception;
    }

    static void run(Work work) {
        try {
            work.run();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    static void both(Work work) throws InterruptedException {
        Thread one = new Thread(() -> run(work)), two = new Thread(() -> run(work));
        one.start();
        two.start();
        one.join();
        two.join();
    }

    public static void main(String[] arguments) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(1024);
        KeyPair keys = generator.generateKeyPair();

        Kit synchronizedKit = new Kit(keys);
        both(() -> {
            for (int i = 0; i < 2; i++) {
                synchronized (synchronizedKit) {
                    synchronizedKit.use();
                }
            }
        });
        System.out.println("synchronized " + synchronizedKit.uses + " " + synchronizedKit.read());

        Kit lockedKit = new Kit(keys);
        ReentrantLock lock = new ReentrantLock();
        both(() -> {
            lock.lock();
            try {
                lockedKit.use();
            } finally {
                lock.unlock();
            }
        });
        System.out.println("locked " + lockedKit.uses);

        LinkedBlockingQueue<Kit> queue = new LinkedBlockingQueue<>();
        queue.put(new Kit(keys));
        both(() -> {
            Kit taken = queue.take();
            taken.use();
            queue.put(taken);
        });
        System.out.println("queued " + queue.take().uses);

        ThreadLocal<Kit> locals = new ThreadLocal<>();
        both(() -> {
            locals.set(new Kit(keys));
            locals.get().use();
        });

        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<Kit> made = pool.submit(() -> new Kit(keys));
        made.get().use();
        CompletableFuture<Kit> handed = CompletableFuture.completedFuture(made.get());
        System.out.println("handed " + handed.thenApplyAsync(kit -> {
            run(kit::use);
            return kit.uses;
        }, pool).get());
        pool.shutdown();

        System.out.println(IntStream.range(0, 1000).parallel().summaryStatistics());
        Stream.Builder<Integer> numbers = Stream.builder();
        IntStream.range(0, 1000).forEach(numbers::add);
        System.out.println(numbers.build().parallel().sorted().mapToInt(i -> i).sum());
    }
}
