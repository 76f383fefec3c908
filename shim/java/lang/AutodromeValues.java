package java.lang;

import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * Constant writes (O'Callahan and Choi 2003, section 7.5): a write of the value that is there already can be ignored.
 *
 * <p>A hook before the instruction keeps the old value in the thread, and the one after it compares it with what is there
 * then. A write of another thread that comes in between and puts the old value back makes the two equal. Floating point
 * numbers are equal if their bits are. Writes that have no hook before them, those of the JDK and by reflection, are
 * never ignored.
 */
final class AutodromeValues {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Whether values are compared: constant. */
    static final boolean COMPARES = AutodromeEngine.COMPARES;

    /** What is known of a site's field; else its offset, and below it the letter of its type. */
    private static final long UNKNOWN = 0;
    private static final int TYPE_BITS = 8, TYPE = (1 << TYPE_BITS) - 1;

    private static final int PAGE_BITS = 12, PAGE = 1 << PAGE_BITS, PAGES = 1 << 14;

    @Stable private static final long[][] PLACES = new long[PAGES][];

    /** By site of a static field: the object that holds it. */
    @Stable private static final WeakReference<?>[][] BASES = new WeakReference<?>[PAGES][];

    private AutodromeValues() {}

    /** Calls each native method once, see AutodromeStart. */
    static void link() {
        fieldOf(0, null);
    }

    /** The field that a site accesses; null if it is not there, or its class not ready. */
    private static native Field fieldOf(int site, Object receiver);

    /** A field of an object will be written, or a static one if there is no object. */
    @ForceInline
    static void before(Object o, int site) {
        if (COMPARES) {
            keep(o, site);
        }
    }

    /** An element will be written, unless the store throws. */
    @ForceInline
    static void beforeElement(Object array, int index, int site) {
        if (COMPARES && array != null) {
            keepElement(array, index, site);
        }
    }

    /** Has the write at this site, to an object or a static field, changed nothing? */
    static boolean isSame(Object base, int site) {
        Thread t = Thread.currentThread();
        if (!isOf(t, site)) {
            return false;
        }
        long[] page = PLACES[site >>> PAGE_BITS];
        return page != null && isSame(t, base, page[site & PAGE - 1]);
    }

    static boolean isSameElement(Object array, int index, int site) {
        Thread t = Thread.currentThread();
        return isOf(t, site) && isSame(t, array, place(array, index));
    }

    @DontInline
    private static void keep(Object o, int site) {
        long[] page = PLACES[site >>> PAGE_BITS];
        long place = page == null ? UNKNOWN : page[site & PAGE - 1];
        Thread t = Thread.currentThread();
        t.autodrome$valued = 0;
        if (place != UNKNOWN || (place = resolve(site, o)) != UNKNOWN) {
            Object base = o != null ? o : base(site);
            if (base != null) {
                keep(t, base, place, site);
            }
        }
    }

    /** The object that holds a static field; null if this thread does not see it yet. */
    private static Object base(int site) {
        WeakReference<?>[] page = BASES[site >>> PAGE_BITS];
        WeakReference<?> base = page == null ? null : page[site & PAGE - 1];
        return base == null ? null : base.get();
    }

    @DontInline
    private static void keepElement(Object array, int index, int site) {
        Thread t = Thread.currentThread();
        t.autodrome$valued = 0;
        if (index >= 0 && index < java.lang.reflect.Array.getLength(array)) {
            keep(t, array, place(array, index), site);
        }
    }

    private static void keep(Thread t, Object base, long place, int site) {
        if ((place & TYPE) == 'L') {
            t.autodrome$reference = U.getReferenceVolatile(base, place >>> TYPE_BITS);
        } else {
            t.autodrome$value = bits(base, place);
        }
        t.autodrome$valued = ~site;
    }

    /** Is what the thread has kept of this site? It is used once. */
    private static boolean isOf(Thread t, int site) {
        boolean is = t.autodrome$valued == ~site;
        t.autodrome$valued = 0;
        return is;
    }

    private static boolean isSame(Thread t, Object base, long place) {
        if ((place & TYPE) != 'L') {
            return t.autodrome$value == bits(base, place);
        }
        Object old = t.autodrome$reference;
        t.autodrome$reference = null;
        return old == U.getReferenceVolatile(base, place >>> TYPE_BITS);
    }

    private static long bits(Object base, long place) {
        long offset = place >>> TYPE_BITS;
        switch ((int) place & TYPE) {
            case 'Z':
            case 'B':
                return U.getByteVolatile(base, offset);
            case 'C':
            case 'S':
                return U.getShortVolatile(base, offset);
            case 'I':
            case 'F':
                return U.getIntVolatile(base, offset);
            default:
                return U.getLongVolatile(base, offset);
        }
    }

    private static long place(Object array, int index) {
        Class<?> type = array.getClass().getComponentType();
        char letter = letter(type);
        int scale = letter == 'L' ? U.arrayIndexScale(Object[].class) : U.arrayIndexScale(array.getClass());
        return AutodromeAccesses.arrayBase(letter) + (long) index * scale << TYPE_BITS | letter;
    }

    private static char letter(Class<?> type) {
        return type == int.class ? 'I'
                : type == long.class ? 'J'
                : type == boolean.class ? 'Z'
                : type == byte.class ? 'B'
                : type == char.class ? 'C'
                : type == short.class ? 'S'
                : type == float.class ? 'F'
                : type == double.class ? 'D'
                : 'L';
    }

    @DontInline
    private static long resolve(int site, Object receiver) {
        Field field = fieldOf(site, receiver);
        if (field == null) {
            return UNKNOWN;
        }
        long offset = receiver == null ? U.staticFieldOffset(field) : U.objectFieldOffset(field);
        long place = offset << TYPE_BITS | letter(field.getType());
        synchronized (PLACES) {
            int page = site >>> PAGE_BITS;
            if (PLACES[page] == null) {
                BASES[page] = new WeakReference<?>[PAGE];
                PLACES[page] = new long[PAGE];
            }
            if (receiver == null) {
                BASES[page][site & PAGE - 1] = new WeakReference<>(U.staticFieldBase(field));
            }
            PLACES[page][site & PAGE - 1] = place;
        }
        return place;
    }
}
