import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.EnumSet;
import sun.misc.Unsafe;

/**
 * Classes that are initialized by a call, where no instruction names them: by name, by a lookup, by Unsafe, by deserializing, and
 * enums by whatever gives their constants. What the initializer did comes before the call returns, in every thread.
 */
public class Main {
    static class Cell {
        int value;

        Cell(int value) {
            this.value = value;
        }
    }

    /** What the initializers leave here, no one else writes. */
    static Cell byName;
    static Cell byLookup;
    static Cell byUnsafe;
    static Cell byAllocation;
    static Cell byStream;

    static class Named {
        static {
            byName = new Cell(1);
        }
    }

    static class Looked {
        static {
            byLookup = new Cell(2);
        }
    }

    static class Ensured {
        static {
            byUnsafe = new Cell(3);
        }
    }

    static class Allocated {
        static {
            byAllocation = new Cell(4);
        }
    }

    static class Streamed implements Serializable {
        static {
            byStream = new Cell(5);
        }
    }

    enum InSet {
        ONE, TWO;

        int state = ordinal() + 1;
    }

    enum ByText {
        ONE, TWO;

        int state = ordinal() + 1;
    }

    enum Listed {
        ONE, TWO;

        int state = ordinal() + 1;
    }

    enum Read {
        ONE, TWO;

        int state = ordinal() + 1;
    }

    enum Annotated {
        ONE, TWO;

        int state = ordinal() + 1;
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        Annotated value();
    }

    @Mark(Annotated.TWO)
    static class Marked {}

    private static final byte[] STREAMED = streamed(false, "Main$Streamed");
    private static final byte[] READ = streamed(true, "Main$Read");

    /** An object without fields, or the first constant of an enum, as a stream has it; made without the class itself. */
    static byte[] streamed(boolean isEnum, String name) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
            out.writeShort(ObjectStreamConstants.STREAM_VERSION);
            out.writeByte(isEnum ? ObjectStreamConstants.TC_ENUM : ObjectStreamConstants.TC_OBJECT);
            out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
            out.writeUTF(name);
            out.writeLong(0);
            out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE | (isEnum ? ObjectStreamConstants.SC_ENUM : 0));
            out.writeShort(0);
            out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
            if (isEnum) {
                out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
                out.writeUTF("java.lang.Enum");
                out.writeLong(0);
                out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE | ObjectStreamConstants.SC_ENUM);
                out.writeShort(0);
                out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
                out.writeByte(ObjectStreamConstants.TC_NULL);
                out.writeByte(ObjectStreamConstants.TC_STRING);
                out.writeUTF("ONE");
            } else {
                out.writeByte(ObjectStreamConstants.TC_NULL);
            }
        } catch (IOException unexpected) {
            throw new AssertionError(unexpected);
        }
        return bytes.toByteArray();
    }

    static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes)) {
            @Override
            protected java.io.ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
                java.io.ObjectStreamClass read = super.readClassDescriptor();
                // Its serial number is not known here, and does not matter.
                return read.getName().equals("Main$Streamed") ? java.io.ObjectStreamClass.lookup(Streamed.class) : read;
            }
        }) {
            return in.readObject();
        }
    }

    static Unsafe unsafe() throws ReflectiveOperationException {
        Field field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return (Unsafe) field.get(null);
    }

    static int useAll() throws ReflectiveOperationException, IOException {
        Class.forName("Main$Named");
        int sum = byName.value;
        MethodHandles.lookup().ensureInitialized(Looked.class);
        sum += byLookup.value;
        MethodHandles.lookup().ensureInitialized(Ensured.class);
        sum += byUnsafe.value;
        unsafe().allocateInstance(Allocated.class);
        sum += byAllocation.value;
        read(STREAMED);
        sum += byStream.value;
        for (InSet each : EnumSet.allOf(InSet.class)) {
            sum += each.state;
        }
        sum += Enum.valueOf(ByText.class, "TWO").state;
        for (Listed each : Listed.class.getEnumConstants()) {
            sum += each.state;
        }
        sum += ((Read) read(READ)).state;
        return sum + Marked.class.getAnnotation(Mark.class).value().state;
    }

    public static void main(String[] arguments) throws Exception {
        int[] sums = new int[4];
        Thread[] users = new Thread[sums.length];
        for (int i = 0; i < users.length; i++) {
            int own = i;
            users[i] = new Thread(() -> {
                try {
                    sums[own] = useAll();
                } catch (ReflectiveOperationException | IOException unexpected) {
                    throw new AssertionError(unexpected);
                }
            });
        }
        for (Thread user : users) {
            user.start();
        }
        for (Thread user : users) {
            user.join();
        }
        System.out.println(sums[0] + sums[1] + sums[2] + sums[3]);
    }
}
