package java.lang;

import static java.lang.AutodromeLayout.*;
import static java.lang.AutodromeThread.*;

import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The program's accesses by object and offset: through VarHandles, reflection, method handles and Unsafe.
 *
 * <p>Such an access has no woven instruction: its site is where the program called the JDK, found on the stack once for each
 * calling-context value, field and mode. Accesses of the JDK's own are not the program's and are left alone.
 *
 * <p>Atomic accesses of a field that is not volatile race with plain ones, not with each other. They are recorded like plain
 * ones, and their sites distinguish them; but a thread records one only if the last access recorded was not its own, since
 * each record costs an epoch. So a plain access that comes after the first atomic one of a thread, but not after a later
 * one, may be missed. Atomic accesses of elements are only held against what was recorded before them. The lockset modes
 * leave atomic accesses out.
 */
final class AutodromeAccesses {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final int PLAIN = 0, ATOMIC = 1;

    private static final int CACHE_BITS = 7;

    private static final long[] BASE = new long['Z' + 1];

    static {
        for (char type : new char[] {'Z', 'B', 'C', 'S', 'I', 'J', 'F', 'D', 'L'}) {
            BASE[type] = arrayBase(type);
        }
    }

    private static final int REFERENCE_BITS = U.arrayIndexScale(Object[].class) == 8 ? 3 : 2;

    /** The plain fields of a class, or its static ones, by offset. */
    private static final class Words {
        /** The offsets of the words of reads (upper half) and of the write; 0 if the field has none. */
        final long[] offsets;
        final Field[] fields;

        Words(int length) {
            offsets = new long[length];
            fields = new Field[length];
        }
    }

    private AutodromeAccesses() {}

    /** Calls each native method once, as AutodromeStart says. */
    static void link() {
        wordsOf(null, false);
        siteOf(null, null, false, 0);
    }

    /** Where the elements of an array start, by the letter of its elements' type. */
    static native long arrayBase(char type);

    /** The fields of a class that have words, instance or static ones: each followed by those of its reads and its write. */
    private static native Field[] wordsOf(Class<?> type, boolean statics);

    /** The site of an access of a field, or of an element (then it is null); NO_SITE if the program did not make it. */
    private static native int siteOf(Class<?> type, Field field, boolean isAtomic, int context);

    @ForceInline
    private static Words words(Object o) {
        Object words = o instanceof Class ? ((Class<?>) o).autodrome$staticWords : o.getClass().autodrome$words;
        return words != null ? (Words) words : find(o);
    }

    @DontInline
    private static Words find(Object o) {
        Thread t = Thread.currentThread();
        t.autodrome$quiet++;
        boolean statics = o instanceof Class;
        Class<?> type = statics ? (Class<?>) o : o.getClass();
        Field[] found = wordsOf(type, statics);
        long last = -1;
        for (int i = 0; found != null && i < found.length; i += 3) {
            last = Math.max(last, offset(found[i], statics));
        }
        Words words = new Words((int) last + 1);
        for (int i = 0; found != null && i < found.length; i += 3) {
            int at = (int) offset(found[i], statics);
            words.offsets[at] = offset(found[i + 1], statics) << 32 | offset(found[i + 2], statics);
            words.fields[at] = found[i];
        }
        // Others may find it without order.
        U.storeFence();
        if (statics) {
            type.autodrome$staticWords = words;
        } else {
            type.autodrome$words = words;
        }
        t.autodrome$quiet--;
        return words;
    }

    /** Of an object of this class, the offsets of the words of all plain fields, as Words has them. */
    @ForceInline
    static long[] allWords(Class<?> type) {
        long[] words = type.autodrome$allWords;
        return words != null ? words : findAllWords(type);
    }

    @DontInline
    private static long[] findAllWords(Class<?> type) {
        Thread t = Thread.currentThread();
        t.autodrome$quiet++;
        Field[] found = wordsOf(type, false);
        long[] words = new long[found == null ? 0 : found.length / 3];
        for (int i = 0; i < words.length; i++) {
            words[i] = offset(found[3 * i + 1], false) << 32 | offset(found[3 * i + 2], false);
        }
        // Others may find it without order.
        U.storeFence();
        type.autodrome$allWords = words;
        t.autodrome$quiet--;
        return words;
    }

    private static long offset(Field field, boolean statics) {
        return statics ? U.staticFieldOffset(field) : U.objectFieldOffset(field);
    }

    /** The site of an access, from the thread's cache. */
    @ForceInline
    private static int site(Thread t, Class<?> type, Field field, long offset, int mode) {
        Object[] accessed = t.autodrome$accessed;
        long key = (long) t.autodrome$context << 32 | offset << 1 | mode;
        int at = (int) ((key ^ key >>> 32) * 0x9E3779B1L >>> 32 - CACHE_BITS) & (1 << CACHE_BITS) - 1;
        if (accessed != null && accessed[at] == type && t.autodrome$callers[2 * at] == key) {
            return (int) t.autodrome$callers[2 * at + 1];
        }
        return siteSlow(t, type, field, mode, key, at);
    }

    @DontInline
    private static int siteSlow(Thread t, Class<?> type, Field field, int mode, long key, int at) {
        if (t.autodrome$accessed == null) {
            t.autodrome$callers = new long[2 << CACHE_BITS];
            t.autodrome$accessed = new Object[1 << CACHE_BITS];
        }
        int site = siteOf(type, field, mode == ATOMIC, t.autodrome$context);
        t.autodrome$accessed[at] = type;
        t.autodrome$callers[2 * at] = key;
        t.autodrome$callers[2 * at + 1] = site;
        return site;
    }

    @ForceInline
    static void read(Object o, long offset) {
        if (ON && o != null) {
            if (o.getClass().isArray()) {
                element(o, offset, false);
            } else {
                field(o, offset, false);
            }
        }
    }

    @ForceInline
    static void write(Object o, long offset) {
        if (ON && o != null) {
            if (o.getClass().isArray()) {
                element(o, offset, true);
            } else {
                field(o, offset, true);
            }
        }
    }

    private static void field(Object o, long offset, boolean isWrite) {
        Words words = words(o);
        long offsets = offset >= 0 && offset < words.offsets.length ? words.offsets[(int) offset] : 0;
        if (offsets == 0) {
            return;
        }
        long word = U.getLong(o, isWrite ? offsets & 0xffffffffL : offsets >>> 32);
        if (isMine(word)) {
            return;
        }
        Thread t = Thread.currentThread();
        int site = site(t, type(o), words.fields[(int) offset], offset, PLAIN);
        if (site == NO_SITE) {
            return;
        }
        if (isWrite) {
            AutodromeWords.writeSlow(o, word, offsets, site, t.autodrome$context);
        } else {
            AutodromeWords.readSlow(o, word, offsets, site, t.autodrome$context);
        }
    }

    private static void element(Object array, long offset, boolean isWrite) {
        Thread t = Thread.currentThread();
        int index = index(array, offset), site;
        if (index >= 0 && (site = site(t, array.getClass(), null, 0, PLAIN)) != NO_SITE) {
            if (isWrite) {
                AutodromeArrays.write(array, index, site, t.autodrome$context);
            } else {
                AutodromeArrays.read(array, index, site, t.autodrome$context);
            }
        }
    }

    static void readAtomic(Object o, long offset) {
        if (ON) {
            if (o.getClass().isArray()) {
                atomicElement(o, offset, false);
            } else {
                atomicField(o, offset, false);
            }
        }
    }

    static void writeAtomic(Object o, long offset) {
        if (ON) {
            if (o.getClass().isArray()) {
                atomicElement(o, offset, true);
            } else {
                atomicField(o, offset, true);
            }
        }
    }

    private static void atomicField(Object o, long offset, boolean isWrite) {
        if (AutodromeLocksets.LOCKSETS) {
            return;
        }
        Words words = words(o);
        long offsets = offset >= 0 && offset < words.offsets.length ? words.offsets[(int) offset] : 0;
        if (offsets == 0) {
            return;
        }
        Thread t = Thread.currentThread();
        long word = U.getLong(o, isWrite ? offsets & 0xffffffffL : offsets >>> 32);
        if (word != 0 && t.autodrome$epoch != 0 && AutodromeWords.isOfEra((int) (word >>> 32), ~t.autodrome$epoch)) {
            return;
        }
        int site = site(t, type(o), words.fields[(int) offset], offset, ATOMIC);
        if (site == NO_SITE) {
            return;
        }
        if (isWrite) {
            AutodromeWords.writeSlow(o, word, offsets, site, t.autodrome$context);
        } else {
            AutodromeWords.readSlow(o, word, offsets, site, t.autodrome$context);
        }
    }

    private static void atomicElement(Object array, long offset, boolean isWrite) {
        if (AutodromeLocksets.LOCKSETS) {
            return;
        }
        int index = index(array, offset);
        if (index < 0) {
            return;
        }
        Thread t = Thread.currentThread();
        if (isSettled(t, AutodromeArrays.peek(array, index, true))
                && (!isWrite || isSettled(t, AutodromeArrays.peek(array, index, false)))) {
            return;
        }
        int site = site(t, array.getClass(), null, 0, ATOMIC);
        if (site != NO_SITE) {
            AutodromeArrays.check(t, array, index, isWrite, site, t.autodrome$context);
        }
    }

    /** Is a word empty, or the thread's own? */
    @ForceInline
    private static boolean isSettled(Thread t, long word) {
        return word == 0 || t.autodrome$epoch != 0
                && AutodromeWords.isOfEra((int) (word >>> 32), ~t.autodrome$epoch);
    }

    @ForceInline
    private static Class<?> type(Object o) {
        return o instanceof Class ? (Class<?>) o : o.getClass();
    }

    /** The index of the element at an offset; -1 if there is none. */
    private static int index(Object array, long offset) {
        if (array instanceof Object[]) {
            return index(offset, 'L', REFERENCE_BITS, ((Object[]) array).length);
        } else if (array instanceof int[]) {
            return index(offset, 'I', 2, ((int[]) array).length);
        } else if (array instanceof long[]) {
            return index(offset, 'J', 3, ((long[]) array).length);
        } else if (array instanceof byte[]) {
            return index(offset, 'B', 0, ((byte[]) array).length);
        } else if (array instanceof char[]) {
            return index(offset, 'C', 1, ((char[]) array).length);
        } else if (array instanceof double[]) {
            return index(offset, 'D', 3, ((double[]) array).length);
        } else if (array instanceof float[]) {
            return index(offset, 'F', 2, ((float[]) array).length);
        } else if (array instanceof short[]) {
            return index(offset, 'S', 1, ((short[]) array).length);
        } else if (array instanceof boolean[]) {
            return index(offset, 'Z', 0, ((boolean[]) array).length);
        }
        return -1;
    }

    @ForceInline
    private static int index(long offset, char type, int bits, int length) {
        long index = offset - BASE[type] >> bits;
        return index >= 0 && index < length ? (int) index : -1;
    }
}
