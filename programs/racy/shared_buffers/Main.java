import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.IntBuffer;

/** Buffers that two threads use at once: relative accesses move the position, absolute ones meet in an element. */
public class Main {
    private static final ByteBuffer BYTES = ByteBuffer.allocate(100);
    private static final ByteBuffer DIRECT = ByteBuffer.allocateDirect(100);
    private static final ByteBuffer LIMITED = ByteBuffer.allocate(100);
    private static final ByteBuffer ABSOLUTE = ByteBuffer.allocate(100);
    private static final CharBuffer CHARS = CharBuffer.allocate(100);
    private static final IntBuffer INTS = ByteBuffer.allocate(100).asIntBuffer();
    private static final byte[] OWN = new byte[10];
    private static final ByteBuffer WRAPPED = ByteBuffer.wrap(OWN);

    static void get() {
        BYTES.get(); // race: reads writes ByteBuffer
    }

    static void direct() {
        DIRECT.putInt(1); // race: reads writes ByteBuffer
    }

    static void flip() {
        LIMITED.flip(); // race: reads writes ByteBuffer
    }

    static void remaining() {
        LIMITED.remaining(); // race: reads ByteBuffer
    }

    static void put() {
        ABSOLUTE.put(5, (byte) 1); // race: writes ByteBuffer
    }

    static void getAt() {
        ABSOLUTE.get(5); // race: reads ByteBuffer
    }

    static void chars() {
        CHARS.put('c'); // race: reads writes CharBuffer
    }

    static void ints() {
        INTS.get(); // race: reads writes IntBuffer
    }

    static void wrapped() {
        WRAPPED.put(3, (byte) 1); // race: writes []
    }

    static int own() {
        return OWN[3]; // race: reads []
    }

    static void both(Runnable one, Runnable two) throws InterruptedException {
        Thread other = new Thread(one);
        other.start();
        Thread.sleep(10);
        two.run();
        other.join();
    }

    public static void main(String[] arguments) throws InterruptedException {
        both(Main::get, Main::get);
        both(Main::direct, Main::direct);
        both(Main::flip, Main::remaining);
        both(Main::put, Main::getAt);
        both(Main::chars, Main::chars);
        both(Main::ints, Main::ints);
        both(Main::wrapped, Main::own);
        System.out.println("done");
    }
}
