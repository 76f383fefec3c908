import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Names of a class, its field and the threads that would steer a terminal or a CI server if they were shown as they are. */
public class Main {
    /** Its names are changed before it is defined, to others of the same length: Java's compiler would not take them. */
    public static class Renamed__________________ implements Runnable {
        static int field__________________________________;

        public void run() {
            field__________________________________++;
        }
    }

    static final String CLASS = "Renamed__________________";
    static final String HOSTILE_CLASS = "\u001bc\n::add-mask::a\r##vso(x)";
    static final String FIELD = "field__________________________________";
    static final String HOSTILE_FIELD = "\n::error::x\nSUMMARY: autodrome: 0 races";
    static final String HOSTILE_THREAD = "\u001b]0;x\u0007\n::stop-commands::t\n\u202eSUMMARY: autodrome: nothing ##vso[x]";

    public static void main(String[] args) throws Exception {
        Class<?> type = new Loader().define();
        for (int count = 0; count < 2; count++) {
            Runnable work = (Runnable) type.getConstructor().newInstance();
            Thread thread = new Thread(work, HOSTILE_THREAD + count);
            thread.start();
            // Long enough for the thread to end, and no order.
            Thread.sleep(100);
        }
        System.out.println("done");
    }

    static class Loader extends ClassLoader {
        Loader() {
            super(Main.class.getClassLoader());
        }

        Class<?> define() throws Exception {
            try (InputStream in = Main.class.getResourceAsStream("Main$" + CLASS + ".class")) {
                String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
                text = text.replace(CLASS, HOSTILE_CLASS).replace(FIELD, HOSTILE_FIELD);
                byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
                return defineClass("Main$" + HOSTILE_CLASS, bytes, 0, bytes.length);
            }
        }
    }
}
