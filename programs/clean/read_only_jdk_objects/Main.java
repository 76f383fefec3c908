import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.Collator;
import java.text.MessageFormat;
import java.text.NumberFormat;
import java.util.Date;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;

/**
 * Objects that two threads may share: they are only read, are safe by themselves, or each thread works on its own view; and JDK
 * methods that use such objects inside.
 */
public class Main {
    private static final Date DATE = new Date(1234567890);
    private static final ByteBuffer BYTES = ByteBuffer.wrap("some bytes".getBytes(StandardCharsets.UTF_8));
    private static final ByteBuffer DIRECT = ByteBuffer.allocateDirect(10);
    private static final CharBuffer CHARS = CharBuffer.wrap("some chars");
    private static final Pattern PATTERN = Pattern.compile("a+");
    private static final Collator COLLATOR = Collator.getInstance(Locale.ENGLISH);
    private static final SecureRandom RANDOM = new SecureRandom();

    static int dates() {
        return (int) DATE.getTime() + DATE.toString().length() + DATE.compareTo(new Date(0)) + DATE.hashCode()
                + String.format(Locale.ROOT, "%tY", DATE).length() + ((Date) DATE.clone()).toInstant().getNano();
    }

    /** Absolute reads of one buffer; relative ones of views; writes to different elements. */
    static int buffers(int own) {
        int sum = BYTES.get(1) + BYTES.remaining() + BYTES.getShort(2) + BYTES.hashCode() + CHARS.charAt(2) + CHARS.length();
        ByteBuffer view = BYTES.duplicate(), slice = BYTES.slice(), read = BYTES.asReadOnlyBuffer();
        while (view.hasRemaining()) {
            sum += view.get() + slice.get() + read.get();
        }
        byte[] copied = new byte[BYTES.capacity()];
        BYTES.duplicate().get(copied);
        DIRECT.put(own, (byte) own);
        return sum + DIRECT.get(own) + CHARS.toString().length() + StandardCharsets.UTF_8.decode(BYTES.duplicate()).length();
    }

    static int text() {
        int sum = "banana".split("a+").length + PATTERN.matcher("banana").replaceAll("o").length();
        sum += COLLATOR.compare("one", "two") + COLLATOR.getCollationKey("one").toByteArray().length + COLLATOR.getStrength();
        sum += MessageFormat.format("{0} {1,number}", "text", 1).length();
        sum += NumberFormat.getInstance(Locale.ROOT).format(1.5).length();
        return sum + "text".getBytes(StandardCharsets.UTF_16).length + StandardCharsets.UTF_8.encode("text").remaining();
    }

    static int secrets() throws Exception {
        byte[] some = new byte[10];
        RANDOM.nextBytes(some);
        MessageDigest prototype = MessageDigest.getInstance("SHA-1");
        return UUID.nameUUIDFromBytes(BYTES.array()).version() + ((MessageDigest) prototype.clone()).digest().length;
    }

    /** The channel's threads read into a buffer and give it back. */
    static int channels(Path file) throws Exception {
        int sum = 0;
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer buffer = ByteBuffer.allocate(10);
            sum += channel.read(buffer) + buffer.flip().remaining();
        }
        try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer first = ByteBuffer.allocate(10), second = ByteBuffer.allocate(10);
            sum += channel.read(first, 0).get() + first.flip().get();
            CountDownLatch done = new CountDownLatch(1);
            second.put((byte) 1).clear();
            channel.read(second, 0, "attached", new CompletionHandler<Integer, String>() {
                @Override
                public void completed(Integer length, String attached) {
                    second.flip().get();
                    done.countDown();
                }

                @Override
                public void failed(Throwable why, String attached) {
                    done.countDown();
                }
            });
            done.await();
            sum += second.remaining();
        }
        return sum;
    }

    static int work(int own, Path file) {
        try {
            int sum = dates() + buffers(own) + text() + secrets() + channels(file);
            System.out.printf(Locale.ROOT, "%s %d%n", "worked", 1);
            return sum;
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    public static void main(String[] arguments) throws InterruptedException, IOException {
        Path file = Files.createTempFile("buffers", ".txt");
        Files.writeString(file, "some text");
        int[] sums = new int[2];
        Thread one = new Thread(() -> sums[0] = work(0, file)), two = new Thread(() -> sums[1] = work(1, file));
        one.start();
        two.start();
        one.join();
        two.join();
        Files.delete(file);
        System.out.println(sums[1] - sums[0]);
    }
}
