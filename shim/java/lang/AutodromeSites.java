package java.lang;

import static java.lang.AutodromeLayout.*;
import static java.lang.AutodromeThread.*;

import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * What woven instructions access: found out when they first run, and constant from then on.
 *
 * <p>A class with a static initializer has a number; each thread keeps a bit for those whose initializers it has seen.
 */
final class AutodromeSites {
    private static final Unsafe U = Unsafe.getUnsafe();

    /**
     * What find() says of a site's field. A plain one has the offsets of its words instead; a volatile one with a cell in its
     * object has the cell's offset in the lower half and is less than all of these.
     */
    static final long UNKNOWN = 0, UNWATCHED = -1, VOLATILE = -2, CELLED = Long.MIN_VALUE;

    private static final int PAGE_BITS = 12, PAGE = 1 << PAGE_BITS, PAGES = 1 << 14;

    /** By site: one of the above, or the offsets of the words of reads (upper half) and of writes. */
    @Stable private static final long[][] FIELDS = new long[PAGES][];

    /** By site of a static field: the object that holds the words. It goes with its class; the site's own class keeps it. */
    @Stable private static final WeakReference<?>[][] BASES = new WeakReference<?>[PAGES][];

    /**
     * By site: the number of the class with a static initializer that the site needs; NONE if there is none; less if there are
     * several, which SEVERAL has.
     */
    @Stable private static final int[][] CLASSES = new int[PAGES][];

    private static final int NONE = -1;

    private static volatile int[][] SEVERAL = new int[0][];

    private AutodromeSites() {}

    /** Calls each native method once, see AutodromeStart. */
    static void link() {
        find(0, null, null);
        classOf(0);
        numberOf(null);
        hasInitializer(null);
        receiveInitializer(0, 0);
    }

    /** What field a site accesses; fills in the fields of both words if it has some. 0: its class is not ready. */
    private static native int find(int site, Object receiver, Field[] words);

    /** The number of the class of a static field if it has a static initializer, else 0. */
    private static native int classOf(int site);

    static native int numberOf(Object type);

    /** Has the class a static initializer? Of loaders that know the name, some class of that name. */
    private static native boolean hasInitializer(Object type);

    private static native void receiveInitializer(int me, int type);

    /** Where the cell of a volatile field lies, by what field() says; 0 if it has none. */
    @ForceInline
    static int cell(long field) {
        return field < VOLATILE ? (int) field : 0;
    }

    @ForceInline
    static long field(int site) {
        long[] page = FIELDS[site >>> PAGE_BITS];
        return page == null ? UNKNOWN : page[site & (PAGE - 1)];
    }

    /** Where the words of a static field lie; null if this thread does not see it yet. */
    @ForceInline
    static Object base(int site) {
        WeakReference<?>[] page = BASES[site >>> PAGE_BITS];
        WeakReference<?> base = page == null ? null : page[site & (PAGE - 1)];
        return base == null ? null : base.get();
    }

    /** The same, for a site whose field is known. */
    @ForceInline
    static Object baseOf(int site) {
        Object base = base(site);
        return base != null ? base : baseSlow(site);
    }

    @DontInline
    private static Object baseSlow(int site) {
        synchronized (FIELDS) {
            return BASES[site >>> PAGE_BITS][site & (PAGE - 1)].get();
        }
    }

    /** Finds out what a site accesses. */
    @DontInline
    static long resolve(int site, Object receiver) {
        Field[] words = new Field[2];
        int kind = find(site, receiver, words);
        long field;
        if (kind == 0) {
            return UNKNOWN;
        } else if (words[0] == null) {
            field = kind == FIELD_VOLATILE ? VOLATILE : UNWATCHED;
        } else if (kind == FIELD_CELLED) {
            if (receiver == null) {
                put(site, U.staticFieldBase(words[0]));
                field = CELLED | U.staticFieldOffset(words[0]);
            } else {
                field = CELLED | U.objectFieldOffset(words[0]);
            }
        } else if (receiver == null) {
            put(site, U.staticFieldBase(words[0]));
            field = U.staticFieldOffset(words[0]) << 32 | U.staticFieldOffset(words[1]);
        } else {
            field = U.objectFieldOffset(words[0]) << 32 | U.objectFieldOffset(words[1]);
        }
        synchronized (FIELDS) {
            int page = site >>> PAGE_BITS;
            if (FIELDS[page] == null) {
                FIELDS[page] = new long[PAGE];
            }
            FIELDS[page][site & (PAGE - 1)] = field;
        }
        return field;
    }

    private static void put(int site, Object base) {
        synchronized (FIELDS) {
            int page = site >>> PAGE_BITS;
            if (BASES[page] == null) {
                BASES[page] = new WeakReference<?>[PAGE];
            }
            BASES[page][site & (PAGE - 1)] = new WeakReference<>(base);
        }
    }

    @ForceInline
    static void needsClassOf(int site, long field) {
        if (field != UNKNOWN) {
            int[] page = CLASSES[site >>> PAGE_BITS];
            int type = page == null ? 0 : page[site & (PAGE - 1)];
            if (type == 0) {
                type = resolveClass(site);
            }
            if (type > 0) {
                needs(type, site);
            }
        }
    }

    @DontInline
    private static int resolveClass(int site) {
        int type = classOf(site);
        putClass(site, type == 0 ? NONE : type);
        return type;
    }

    private static void putClass(int site, int type) {
        synchronized (FIELDS) {
            int page = site >>> PAGE_BITS;
            if (CLASSES[page] == null) {
                CLASSES[page] = new int[PAGE];
            }
            CLASSES[page][site & (PAGE - 1)] = type;
        }
    }

    /** All that the class's initializer did comes before what the thread does next: to be acquired once per thread. */
    @ForceInline
    static void needs(int type, int site) {
        long[] known = Thread.currentThread().autodrome$initialized;
        if (known == null || type >>> 6 >= known.length || (known[type >>> 6] >>> type & 1) == 0) {
            needsSlow(type, site);
        }
    }

    @DontInline
    private static void needsSlow(int type, int site) {
        Thread t = Thread.currentThread();
        long[] known = t.autodrome$initialized;
        if (known == null || type >>> 6 >= known.length) {
            long[] longer = new long[(type >>> 6) + 4];
            for (int i = 0; known != null && i < known.length; i++) {
                longer[i] = known[i];
            }
            t.autodrome$initialized = known = longer;
        }
        known[type >>> 6] |= 1L << type;
        int me = learns(t);
        receiveInitializer(me, type);
        if (AutodromeRecord.RECORDING) {
            AutodromeRecord.logMessage(me, RECEIVE_INITIALIZER, type, site);
        }
    }

    /** The same, for the class itself at a site where one of its methods starts. */
    @ForceInline
    static void needs(Object type, int site) {
        int[] page = CLASSES[site >>> PAGE_BITS];
        int number = page == null ? 0 : page[site & (PAGE - 1)];
        if (number == 0) {
            number = resolveUse(type, site);
        }
        if (number > 0) {
            needs(number, site);
        } else if (number < NONE) {
            needsAll(SEVERAL[NONE - 1 - number], site);
        }
    }

    private static void needsAll(int[] types, int site) {
        for (int i = 0; i < types.length; i++) {
            needs(types[i], site);
        }
    }

    @DontInline
    private static int resolveUse(Object type, int site) {
        int[] types = initialized((Class<?>) type, true, new int[0]);
        int number = types.length == 0 ? NONE : types.length == 1 ? types[0] : several(types);
        putClass(site, number);
        return number;
    }

    private static int several(int[] types) {
        synchronized (FIELDS) {
            int count = SEVERAL.length;
            int[][] more = new int[count + 1][];
            for (int i = 0; i < count; i++) {
                more[i] = SEVERAL[i];
            }
            more[count] = types;
            SEVERAL = more;
            return NONE - 1 - count;
        }
    }

    /** The initializer of a class starts: those of the classes and interfaces that it extends come before. */
    static void needsSupers(Object type, int site) {
        needsAll(initialized((Class<?>) type, false, new int[0]), site);
    }

    /**
     * Adds the numbers of the initializers that have run when a class is initialized: its own, if asked for, or the next ones above
     * it, each of which has itself learned of those further up.
     */
    private static int[] initialized(Class<?> type, boolean itself, int[] found) {
        if (type == null || type.getClassLoader0() == null) {
            return found;
        }
        if (itself && hasInitializer(type)) {
            int number = numberOf(type);
            int[] more = new int[found.length + 1];
            for (int i = 0; i < found.length; i++) {
                if (found[i] == number) {
                    return found;
                }
                more[i] = found[i];
            }
            more[found.length] = number;
            return more;
        }
        Thread t = Thread.currentThread();
        t.autodrome$quiet++;
        Class<?> extended = type.getSuperclass();
        Class<?>[] interfaces = type.getInterfaces();
        t.autodrome$quiet--;
        found = initialized(extended, true, found);
        for (int i = 0; i < interfaces.length; i++) {
            found = initialized(interfaces[i], true, found);
        }
        return found;
    }

    /**
     * The thread comes after the initializers that have run for a class, if that is initialized. One that is not, or is being
     * initialized by this thread, must not count as seen.
     */
    static void comesAfter(Class<?> type, int site) {
        Thread t = Thread.currentThread();
        if (t.autodrome$quiet != 0 || type.getClassLoader0() == null) {
            return;
        }
        int number = type.autodrome$number;
        long[] known = t.autodrome$initialized;
        boolean isKnown = number > 0 && known != null && number >>> 6 < known.length
                && (known[number >>> 6] >>> number & 1) != 0;
        if (!isKnown && !U.shouldBeInitialized(type)) {
            needs(type);
            needsAll(initialized(type, true, new int[0]), site);
        }
    }

    /** The same, where no instruction names the class: by reflection or a handle. */
    @ForceInline
    static void needs(Class<?> type) {
        if (Thread.currentThread().autodrome$quiet == 0) {
            int number = type.autodrome$number;
            if (number == 0) {
                type.autodrome$number = number = numberOf(type);
            }
            needs(number, 0);
        }
    }
}
