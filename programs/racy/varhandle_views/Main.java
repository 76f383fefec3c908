import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** VarHandles of elements, and of a byte[] seen as ints. */
public class Main {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(String[].class);
    private static final VarHandle VIEW = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final String[] TEXTS = new String[70];
    private static final byte[] BYTES = new byte[16];

    static void write() {
        ELEMENT.set(TEXTS, 66, "text"); // race: writes []
        VIEW.set(BYTES, 4, 7); // race: writes []
    }

    static boolean readText() {
        return TEXTS[66] == null; // race: reads []
    }

    static int readByte() {
        return BYTES[4]; // race: reads []
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(Main::write);
        writer.start();
        boolean seen = readText() | readByte() == 0;
        writer.join();
        System.out.println(seen | true);
    }
}
