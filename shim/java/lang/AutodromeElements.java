package java.lang;

import jdk.internal.vm.annotation.ForceInline;

/**
 * The hooks after accesses to array elements, one for each type of element, and after loops over them. The access was made, so
 * array and index are good.
 */
class AutodromeElements extends AutodromeRecord {
    @ForceInline
    public static void readElement(int[] array, int index, int site) {
        AutodromeArrays.read(array, index, site, Thread.currentThread().autodrome$context);
    }

    @ForceInline
    public static void readElement(int[] array, int index, int site, int context) {
        AutodromeArrays.read(array, index, site, context);
    }

    @ForceInline
    public static void readElement(long[] array, int index, int site) {
        AutodromeArrays.read(array, index, site, Thread.currentThread().autodrome$context);
    }

    @ForceInline
    public static void readElement(long[] array, int index, int site, int context) {
        AutodromeArrays.read(array, index, site, context);
    }

    @ForceInline
    public static void readElement(float[] array, int index, int site) {
        AutodromeArrays.read(array, index, site, Thread.currentThread().autodrome$context);
    }

    @ForceInline
    public static void readElement(float[] array, int index, int site, int context) {
        AutodromeArrays.read(array, index, site, context);
    }

    @ForceInline
    public static void readElement(double[] array, int index, int site) {
        AutodromeArrays.read(array, index, site, Thread.currentThread().autodrome$context);
    }

    @ForceInline
    public static void readElement(double[] array, int index, int site, int context) {
        AutodromeArrays.read(array, index, site, context);
    }

    @ForceInline
    public static void readElement(Object[] array, int index, int site) {
        AutodromeArrays.read(array, index, site, Thread.currentThread().autodrome$context);
    }

    @ForceInline
    public static void readElement(Object[] array, int index, int site, int context) {
        AutodromeArrays.read(array, index, site, context);
    }

    @ForceInline
    public static void readElement(char[] array, int index, int site) {
        AutodromeArrays.read(array, index, site, Thread.currentThread().autodrome$context);
    }

    @ForceInline
    public static void readElement(char[] array, int index, int site, int context) {
        AutodromeArrays.read(array, index, site, context);
    }

    @ForceInline
    public static void readElement(short[] array, int index, int site) {
        AutodromeArrays.read(array, index, site, Thread.currentThread().autodrome$context);
    }

    @ForceInline
    public static void readElement(short[] array, int index, int site, int context) {
        AutodromeArrays.read(array, index, site, context);
    }

    @ForceInline
    public static void readByteOrBoolean(Object array, int index, int site) {
        AutodromeArrays.read(array, index, site, Thread.currentThread().autodrome$context);
    }

    @ForceInline
    public static void readByteOrBoolean(Object array, int index, int site, int context) {
        AutodromeArrays.read(array, index, site, context);
    }

    @ForceInline
    public static void writeElement(int[] array, int index, int site) {
        write(array, index, site, Thread.currentThread().autodrome$context);
    }

    @ForceInline
    public static void writeElement(int[] array, int index, int site, int context) {
        write(array, index, site, context);
    }

    @ForceInline
    public static void writeElement(long[] array, int index, int site) {
        write(array, index, site, Thread.currentThread().autodrome$context);
    }

    @ForceInline
    public static void writeElement(long[] array, int index, int site, int context) {
        write(array, index, site, context);
    }

    @ForceInline
    public static void writeElement(float[] array, int index, int site) {
        write(array, index, site, Thread.currentThread().autodrome$context);
    }

    @ForceInline
    public static void writeElement(float[] array, int index, int site, int context) {
        write(array, index, site, context);
    }

    @ForceInline
    public static void writeElement(double[] array, int index, int site) {
        write(array, index, site, Thread.currentThread().autodrome$context);
    }

    @ForceInline
    public static void writeElement(double[] array, int index, int site, int context) {
        write(array, index, site, context);
    }

    @ForceInline
    public static void writeElement(Object[] array, int index, int site) {
        write(array, index, site, Thread.currentThread().autodrome$context);
    }

    @ForceInline
    public static void writeElement(Object[] array, int index, int site, int context) {
        write(array, index, site, context);
    }

    @ForceInline
    public static void writeElement(char[] array, int index, int site) {
        write(array, index, site, Thread.currentThread().autodrome$context);
    }

    @ForceInline
    public static void writeElement(char[] array, int index, int site, int context) {
        write(array, index, site, context);
    }

    @ForceInline
    public static void writeElement(short[] array, int index, int site) {
        write(array, index, site, Thread.currentThread().autodrome$context);
    }

    @ForceInline
    public static void writeElement(short[] array, int index, int site, int context) {
        write(array, index, site, context);
    }

    @ForceInline
    public static void writeByteOrBoolean(Object array, int index, int site) {
        write(array, index, site, Thread.currentThread().autodrome$context);
    }

    @ForceInline
    public static void writeByteOrBoolean(Object array, int index, int site, int context) {
        write(array, index, site, context);
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

    @ForceInline
    public static int beginLoop(int site, int context) {
        return AutodromeLoops.begin();
    }

    public static void readLoop(Object array, int from, int next, int step, int epoch, int site) {
        AutodromeLoops.end(
                array, from, next, step, epoch, false, site, Thread.currentThread().autodrome$context);
    }

    public static void readLoop(Object array, int from, int next, int step, int epoch, int site, int context) {
        AutodromeLoops.end(array, from, next, step, epoch, false, site, context);
    }

    public static void writeLoop(Object array, int from, int next, int step, int epoch, int site) {
        AutodromeLoops.end(
                array, from, next, step, epoch, true, site, Thread.currentThread().autodrome$context);
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
