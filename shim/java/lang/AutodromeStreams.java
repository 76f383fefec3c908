package java.lang;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The standard output and error streams as the JVM made them. What the JDK locks in there guards the streams alone: two threads
 * that print are not in order for that. Streams that the program made, and its own locks on these, order as any other.
 */
final class AutodromeStreams {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** The streams and the objects inside them whose monitors they take. */
    private static final Object[] STANDARD = new Object[6];

    static {
        add(System.out, 0);
        add(System.err, 3);
    }

    private AutodromeStreams() {}

    private static void add(PrintStream stream, int at) {
        if (stream != null && stream.getClass() == PrintStream.class) {
            STANDARD[at] = stream;
            STANDARD[at + 1] = held(stream, PrintStream.class, "charOut");
            STANDARD[at + 2] = held(stream, FilterOutputStream.class, "out");
        }
    }

    /** What a field holds; null if this JDK has no such field. */
    private static Object held(Object o, Class<?> type, String field) {
        try {
            return U.getReference(o, U.objectFieldOffset(type, field));
        } catch (InternalError missing) {
            return null;
        }
    }

    /** Is this one of the standard streams, or a lock inside one? */
    @ForceInline
    static boolean isStandard(Object o) {
        Class<?> type = o.getClass();
        return (type == PrintStream.class || type == OutputStreamWriter.class || type == BufferedOutputStream.class)
                && isListed(o);
    }

    @DontInline
    private static boolean isListed(Object o) {
        for (Object standard : STANDARD) {
            if (standard == o) {
                return true;
            }
        }
        return false;
    }
}
