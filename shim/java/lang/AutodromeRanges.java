package java.lang;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.Reader;
import java.io.Writer;

/** The hooks after calls that access ranges of arrays or copy objects. The call was made, so what it names is good. */
public final class AutodromeRanges {
    private AutodromeRanges() {}

    public static void beforeCopy(
            Object from, int fromIndex, Object to, int toIndex, int length, int site, int context) {
        if (AutodromeThread.DETECTS
                && to instanceof Object[] && from instanceof Object[] && to.getClass() != from.getClass()) {
            beforeChecked((Object[]) from, fromIndex, (Object[]) to, toIndex, length, site, context);
        }
    }

    /**
     * If the copy will end at an element of another type, those before it are copied, and that one is read. A recording, which
     * needs the values that were written, does not have such a copy.
     */
    private static void beforeChecked(
            Object[] from, int fromIndex, Object[] to, int toIndex, int length, int site, int context) {
        Class<?> type = to.getClass().getComponentType();
        boolean mayFail = !type.isAssignableFrom(from.getClass().getComponentType());
        // Beyond an end nothing is copied at all.
        boolean isInside = fromIndex >= 0 && toIndex >= 0 && length >= 0
                && length <= from.length - fromIndex && length <= to.length - toIndex;
        for (int i = 0; mayFail && isInside && i < length; i++) {
            Object element = from[fromIndex + i];
            if (element != null && !type.isInstance(element)) {
                AutodromeArrays.range(from, fromIndex, fromIndex + i + 1, 1, false, site, context);
                if (i > 0) {
                    AutodromeArrays.range(to, toIndex, toIndex + i, 1, true, site, context);
                }
                return;
            }
        }
    }

    public static void afterCopy(
            Object from, int fromIndex, Object to, int toIndex, int length, int site, int context) {
        AutodromeArrays.readRange(from, fromIndex, fromIndex + length, site, context);
        if (to != null) {
            AutodromeArrays.writeRange(to, toIndex, toIndex + length, site, context);
        }
    }

    public static void afterClone(Object copy, int site) {
        AutodromeClones.clear(copy);
    }

    public static void readRange(Object array, int from, int to, int site, int context) {
        AutodromeArrays.readRange(array, from, end(array, to), site, context);
    }

    public static void writeRange(Object array, int from, int to, int site, int context) {
        AutodromeArrays.writeRange(array, from, end(array, to), site, context);
    }

    public static void afterInput(Object stream, Object array, int from, int count, int site, int context) {
        if (count > 0
                && (stream instanceof InputStream || stream instanceof Reader || stream instanceof RandomAccessFile)
                && isOfJdk(stream)) {
            AutodromeArrays.writeRange(array, from, after(array, from, count), site, context);
        }
    }

    public static void afterOutput(Object stream, Object array, int from, int count, int site, int context) {
        if (count > 0
                && (stream instanceof OutputStream || stream instanceof Writer || stream instanceof RandomAccessFile)
                && isOfJdk(stream)) {
            AutodromeArrays.readRange(array, from, after(array, from, count), site, context);
        }
    }

    /** What was read of arrays that differ is not known, and of one array nothing was. */
    public static void afterComparison(Object one, Object other, int result, int equal, int site, int context) {
        if (result == equal && one != other) {
            AutodromeArrays.readRange(one, 0, length(one), site, context);
            AutodromeArrays.readRange(other, 0, length(other), site, context);
        }
    }

    /** The program's own streams are woven, and may keep no promise of their kind. */
    private static boolean isOfJdk(Object stream) {
        return stream.getClass().getClassLoader0() == null;
    }

    private static int end(Object array, int to) {
        int length = length(array);
        return to < length ? to : length;
    }

    private static int after(Object array, int from, int count) {
        int length = length(array);
        return count > length - from ? length : from + count;
    }

    /** Of null it is 0: a stream may take it. */
    private static int length(Object array) {
        if (array instanceof byte[]) {
            return ((byte[]) array).length;
        } else if (array instanceof Object[]) {
            return ((Object[]) array).length;
        } else if (array instanceof int[]) {
            return ((int[]) array).length;
        } else if (array instanceof char[]) {
            return ((char[]) array).length;
        } else if (array instanceof long[]) {
            return ((long[]) array).length;
        } else if (array instanceof double[]) {
            return ((double[]) array).length;
        } else if (array instanceof float[]) {
            return ((float[]) array).length;
        } else if (array instanceof short[]) {
            return ((short[]) array).length;
        } else if (array instanceof boolean[]) {
            return ((boolean[]) array).length;
        }
        return 0;
    }
}
