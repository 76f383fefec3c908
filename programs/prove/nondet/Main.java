/** Inputs through methods, as in the Java tasks of SV-COMP. */
import java.util.Random;

public class Main {
    static final class Verifier {
        static int nondetInt() {
            return new Random().nextInt();
        }

        static boolean nondetBoolean() {
            return new Random().nextBoolean();
        }

        static long nondetLong() {
            return new Random().nextLong();
        }

        static char nondetChar() {
            return (char) nondetInt();
        }
    }

    public static void main(String[] args) {
        int a = Verifier.nondetInt();
        int b = Verifier.nondetInt();
        if (Verifier.nondetBoolean()) {
            int c = a;
            a = b;
            b = c;
        }
        if (a - b == 17 && (b ^ 85) == 42 && Verifier.nondetLong() >>> 60 == 9) {
            assert Verifier.nondetChar() != 'x';
        }
    }
}
