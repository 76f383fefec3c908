import java.security.CodeSource;
import java.util.Arrays;

/** Classes of a signed jar know who signed them, and share their package with no others. */
public class Main {
    static class Other {
        int value = 3;
    }

    public static void main(String[] arguments) {
        CodeSource source = Main.class.getProtectionDomain().getCodeSource();
        System.out.println(source.getCertificates().length + " " + Arrays.toString(Other.class.getSigners()).contains("CN=tester"));
        System.out.println(new Other().value++);
    }
}
