import javax.management.ObjectName;

/** Makes many names of beans; the collections that the JDK reads them with are known to nobody else. */
public class Main {
    public static void main(String[] arguments) throws Exception {
        int length = 0;
        for (int i = 0; i < 20_000; i++) {
            length += new ObjectName("com.acme:type=Pool,name=pool" + i).getCanonicalName().length();
        }
        System.out.println(length);
    }
}
