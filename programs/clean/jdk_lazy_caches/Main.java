import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** Immutable objects that two threads ask for what they compute once and keep: their own affair, not the program's. */
public class Main {
    enum Kind { ONE, TWO }

    private static final String TEXT = String.join("-", "some", "text");
    private static final BigInteger INTEGER = new BigInteger("123456789012345678901234567890");
    private static final BigDecimal DECIMAL = new BigDecimal("1234567890.12345678901234567890");
    private static final URI ADDRESS = URI.create("file:/some/path");
    private static final UUID NAME = UUID.nameUUIDFromBytes(new byte[] {1, 2, 3});
    private static final Locale PLACE = new Locale.Builder().setLanguage("xx").setRegion("YY").build();
    private static final Map<String, String> MAP = new HashMap<>(Map.of("key", "value"));

    static int work() {
        int hash = TEXT.hashCode() + INTEGER.hashCode() + INTEGER.bitLength() + INTEGER.getLowestSetBit();
        hash += DECIMAL.toString().length() + DECIMAL.precision() + ADDRESS.toString().length() + ADDRESS.hashCode();
        hash += NAME.hashCode() + NAME.toString().length() + PLACE.hashCode() + PLACE.toLanguageTag().length();
        hash += Kind.class.getEnumConstants().length + Kind.valueOf("ONE").ordinal() + Kind.class.getName().length();
        hash += MAP.keySet().size() + MAP.values().size() + MAP.entrySet().size() + Main.class.getSimpleName().length();
        return hash + Main.class.getDeclaredMethods().length + Main.class.getPackageName().length();
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] hashes = new int[2];
        Thread one = new Thread(() -> hashes[0] = work());
        Thread two = new Thread(() -> hashes[1] = work());
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(hashes[0] == hashes[1]);
    }
}
