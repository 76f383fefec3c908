package java.lang;

import jdk.internal.vm.annotation.ForceInline;

/**
 * The hooks after accesses to array elements, one for each type of element, and after loops over them. The access was made, so
 * array and index are good.
 */
public final class AutodromeElements {
    private AutodromeElements() {}

    @ForceInline
    public static void readElement(int[] array, int index, int site, int context) {
        AutodromeArrays.read(array, index, site, context);
    }

    @ForceInline
    public static void readElement(long[] array, int index, int site, int context) {
        AutodromeArrays.read(array, index, site, context);
    }

    @ForceInline
    public static void readElement(float[] array, int index, int site, int context) {
        AutodromeArrays.read(array, index, site, context);
    }

    @ForceInline
    public static void readElement(double[] array, int index, int site, int context) {
        AutodromeArrays.read(array, index, site, context);
    }

    @ForceInline
    public static void readElement(Object[] array, int index, int site, int context) {
        AutodromeArrays.read(array, index, site, context);
    }

    @ForceInline
    public static void readElement(char[] array, int index, int site, int context) {
        AutodromeArrays.read(array, index, site, context);
    }

    @ForceInline
    public static void readElement(short[] array, int index, int site, int context) {
        AutodromeArrays.read(array, index, site, context);
    }

    @ForceInline
    public static void readByteOrBoolean(Object array, int index, int site, int context) {
        AutodromeArrays.read(array, index, site, context);
    }

    @ForceInline
    public static void writeElement(int[] array, int index, int site, int context) {
        write(array, index, site, context);
    }

    @ForceInline
    public static void writeElement(long[] array, int index, int site, int context) {
        write(array, index, site, context);
    }

    @ForceInline
    public static void writeElement(float[] array, int index, int site, int context) {
        write(array, index, site, context);
    }

    @ForceInline
    public static void writeElement(double[] array, int index, int site, int context) {
        write(array, index, site, context);
    }

    @ForceInline
    public static void writeElement(Object[] array, int index, int site, int context) {
        write(array, index, site, context);
    }

    @ForceInline
    public static void writeElement(char[] array, int index, int site, int context) {
        write(array, index, site, context);
    }

    @ForceInline
    public static void writeElement(short[] array, int index, int site, int context) {
        write(array, index, site, context);
    }

    @ForceInline
    public static void writeByteOrBoolean(Object array, int index, int site, int context) {
        write(array, index, site, context);
    }

    /** Before a store to an element whose value is compared. */
    @ForceInline
    public static void beforeWriteElement(Object array, int index, int site) {
        if (AutodromeThread.ON) {
            AutodromeValues.beforeElement(array, index, site);
        }
    }

    @ForceInline
    public static void readSyncElement(Object[] array, int index, int site) {
        AutodromeCells.acquire(array, AutodromeCells.offset(index));
    }

    /** Before the write, which may yet throw. */
    @ForceInline
    public static void writeSyncElement(Object[] array, int index, int site) {
        if (array != null && index >= 0 && index < array.length) {
            AutodromeCells.release(array, AutodromeCells.offset(index));
        }
    }

    /** An array was made that no other thread can ever know. Locksets know its owner by themselves. */
    public static void confine(Object array) {
        if (AutodromeThread.ON && !AutodromeLocksets.LOCKSETS) {
            AutodromeNumbers.confine(array);
        }
    }

    @ForceInline
    public static int beginLoop(int site) {
        return AutodromeLoops.begin();
    }

    public static void readLoop(Object array, int from, int next, int step, int epoch, int site, int context) {
        AutodromeLoops.end(array, from, next, step, epoch, false, site, context);
    }

    public static void writeLoop(Object array, int from, int next, int step, int epoch, int site, int context) {
        AutodromeLoops.end(array, from, next, step, epoch, true, site, context);
    }

    @ForceInline
    private static void write(Object array, int index, int site, int context) {
        if (!AutodromeValues.COMPARES || !AutodromeValues.isSameElement(array, index, site)) {
            AutodromeArrays.write(array, index, site, context);
        }
    }
}
