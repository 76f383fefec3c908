package java.lang;

import static java.lang.AutodromeLayout.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The numbers of objects: of arrays, of monitors, of all that has cells outside of it. The agent gives them (crates/agent,
 * arrays.rs); the shim finds them in bits of the object's header that the JVM does not use, beside the identity hash.
 *
 * <p>A header that has an identity hash is kept by every collector, with all its bits; a header without one may be made
 * anew, and the number is put there again. While the object is locked its header may hold an address instead, which is smaller
 * than any number when it is taken for one: there the JVM keeps the header, in the stack of the owner or in the monitor,
 * and the owner finds it. Whether the JVM's headers are like that is tried out when this class is initialized; if not, the
 * agent is asked for every number.
 *
 * <p>An array that no other thread can ever know (crates/weave, confined.rs) has a mark there, which is smaller too.
 *
 * <p>An array that only one thread has accessed needs no number in Simple mode (AutodromeSimple). Until it has one, its header has
 * the number of that thread in the same place, which is smaller than any array's.
 */
final class AutodromeNumbers {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** What claim() answers if the header does not know. */
    static final int SOMEBODY = Integer.MAX_VALUE;

    /** The lowest bits of a header: neither locked nor biased, or with a monitor; if none of these is set, it is locked. */
    private static final int FREE = 1, INFLATED = 2, BIASED = 4;

    /** Where the header of a locked object is: nobody knows, in its place, at the address that is there instead. */
    private static final int UNKNOWN = 0, IN_PLACE = 1, AT_ADDRESS = 2;

    /** Addresses are smaller than this. */
    private static final long ADDRESSES = 1L << 47;

    /** Where the number starts in a header; 0 if it has no room there. */
    private static final int SHIFT = AutodromeEngine.HEADERS ? shift() : 0;

    private static final int LOCKED_HEADER = headerOf(new int[1], false), INFLATED_HEADER = headerOf(new int[1], true);

    /** Whether the owner of a monitor finds its number. */
    private static final boolean FINDS = LOCKED_HEADER != UNKNOWN && INFLATED_HEADER != UNKNOWN;

    private AutodromeNumbers() {}

    /** Calls each native method once, as AutodromeStart says. */
    static void link() {
        known(null);
        register(null, false);
    }

    /** Gives the object, which is locked, a monitor. */
    private static native void inflate(Object o);

    /** The number of an object whose header does not hold it; 0 if it has none. */
    static native int known(Object o);

    /** Gives an object a number, if it has none; 0 if there is no memory. */
    private static native int register(Object o, boolean isArray);

    /** The same, but the header does not hold it yet. */
    static int give(Object array) {
        return register(array, true);
    }

    static int register(Object o) {
        int number = register(o, o.getClass().isArray());
        mark(o, number);
        return number;
    }

    /** The same for an object whose monitor the current thread has. */
    static int registerHeld(Object o) {
        int number = register(o, o.getClass().isArray());
        markHeld(o, number);
        return number;
    }

    /** The number in the header, or less than any number. */
    @ForceInline
    static int number(Object o) {
        return SHIFT == 0 ? 0 : (int) (U.getLong(o, 0L) >>> SHIFT);
    }

    /** The same for an object whose monitor the current thread has. */
    @ForceInline
    static int numberOfHeld(Object o) {
        if (!FINDS) {
            return 0;
        }
        long header = U.getLong(o, 0L);
        int number = (int) (header >>> SHIFT);
        return number >= FIRST_NUMBER || !isElsewhere(header) ? number : (int) (U.getLong(address(header)) >>> SHIFT);
    }

    /** Is this the address of a header? The JVM puts a 0 there for a moment, on the way from one to the other. */
    @ForceInline
    private static boolean isElsewhere(long header) {
        return header != 0 && (header & FREE) == 0
                && ((header & INFLATED) == 0 ? LOCKED_HEADER : INFLATED_HEADER) == AT_ADDRESS;
    }

    /** The number in the header, or 0. */
    @ForceInline
    static int numberInHeader(Object o) {
        int number = number(o);
        return number < FIRST_NUMBER ? 0 : number;
    }

    @ForceInline
    static boolean isNumber(int number) {
        return number >= FIRST_NUMBER;
    }

    @ForceInline
    private static long address(long header) {
        return header & ~3L;
    }

    /** Is the thread the owner of the array? */
    @ForceInline
    static boolean isOwned(Object array, int thread) {
        long header = U.getLong(array, 0L);
        return SHIFT != 0 && header >>> SHIFT == thread && thread < FIRST_NUMBER && isUnlocked(header);
    }

    /**
     * Makes the thread the owner of an array that has neither owner nor number, and gives the owner; 0 if there is none.
     * The header gets no identity hash for that, so a collector may forget the owner: then the array is nobody's again.
     */
    static int claim(Object array, int thread) {
        if (SHIFT == 0) {
            return 0;
        }
        for (;;) {
            long header = U.getLongVolatile(array, 0L), known = header >>> SHIFT;
            if (!isUnlocked(header)) {
                return SOMEBODY;
            }
            if (known != 0 || thread >= FIRST_NUMBER) {
                return known < FIRST_NUMBER ? (int) known : 0;
            }
            if (U.compareAndSetLong(array, 0L, header, header | (long) thread << SHIFT)) {
                return thread;
            }
        }
    }

    /**
     * Marks an array that was just made, and that no other thread can ever know. Without an identity hash too: if a collector
     * forgets the mark, the array gets a number.
     */
    static void confine(Object array) {
        long header = U.getLongVolatile(array, 0L);
        if (SHIFT != 0 && isUnlocked(header) && header >>> SHIFT == 0) {
            U.compareAndSetLong(array, 0L, header, header | (long) CONFINED << SHIFT);
        }
    }

    /** Puts the number into the header, if there is room: the object is not locked, and the number is not too large. */
    static void mark(Object o, int number) {
        if (!fits(number) || !isFree(U.getLong(o, 0L))) {
            return;
        }
        System.identityHashCode(o);
        for (;;) {
            long header = U.getLongVolatile(o, 0L);
            if (!isFree(header) || hash(header, SHIFT) == 0
                    || U.compareAndSetLong(o, 0L, header, with(header, number))) {
                return;
            }
        }
    }

    /**
     * Puts the number into the header of an object whose monitor the current thread has, wherever the header is. One that is
     * in the stack gets no identity hash before, since that would make a monitor.
     */
    @DontInline
    private static void markHeld(Object o, int number) {
        if (!FINDS || !fits(number)) {
            return;
        }
        long header = U.getLongVolatile(o, 0L);
        if ((header & INFLATED) != 0 || !isElsewhere(header) && LOCKED_HEADER == IN_PLACE) {
            System.identityHashCode(o);
            header = U.getLongVolatile(o, 0L);
        }
        if (isElsewhere(header)) {
            long kept = U.getLongVolatile(null, address(header));
            if (isFree(kept)) {
                U.compareAndSetLong(null, address(header), kept, with(kept, number));
            }
        } else if ((header & FREE) == 0 && header >>> SHIFT == 0
                && ((header & INFLATED) == 0 ? LOCKED_HEADER : INFLATED_HEADER) == IN_PLACE) {
            U.compareAndSetLong(o, 0L, header, header | (long) number << SHIFT);
        }
    }

    @ForceInline
    private static boolean fits(int number) {
        return SHIFT != 0 && number != 0 && (long) number >>> 64 - SHIFT == 0;
    }

    /** Neither locked, nor biased, nor numbered: an owner may be there. */
    private static boolean isFree(long header) {
        return isUnlocked(header) && header >>> SHIFT < FIRST_NUMBER;
    }

    @ForceInline
    private static boolean isUnlocked(long header) {
        return (header & (FREE | INFLATED | BIASED)) == FREE;
    }

    /** The header with a number in it. */
    private static long with(long header, int number) {
        return header & (1L << SHIFT) - 1 | (long) number << SHIFT;
    }

    private static int hash(long header, int shift) {
        return (int) (header >>> shift - 31) & 0x7fffffff;
    }

    /** Finds the identity hash of an array in its header: the bits above it are free in the layouts that we know. */
    private static int shift() {
        int[] ints = new int[1];
        Object[] objects = new Object[0];
        int shift = 0;
        for (int candidate : new int[] {39, 42}) {
            if (fits(ints, candidate) && fits(objects, candidate)) {
                // Both fit: then nothing is known.
                shift = shift == 0 ? candidate : 64;
            }
        }
        return shift != 0 && shift != 64 && survives(ints, shift) ? shift : 0;
    }

    private static boolean fits(Object array, int shift) {
        long before = U.getLongVolatile(array, 0L);
        int hash = System.identityHashCode(array);
        long after = U.getLongVolatile(array, 0L);
        return (before & 7) == 1 && (after & 7) == 1 && after >>> shift == 0 && hash != 0 && hash(after, shift) == hash;
    }

    /** A number that was put there is still there after the array was locked, and the hash is what it was. */
    private static boolean survives(Object array, int shift) {
        int hash = System.identityHashCode(array);
        long header = U.getLongVolatile(array, 0L), number = FIRST_NUMBER + 5;
        if (!U.compareAndSetLong(array, 0L, header, header | number << shift)) {
            return false;
        }
        boolean kept = System.identityHashCode(array) == hash;
        synchronized (array) {
            long locked = U.getLongVolatile(array, 0L) >>> shift;
            kept &= locked < FIRST_NUMBER || locked == number;
        }
        kept &= U.getLongVolatile(array, 0L) == (header | number << shift) && System.identityHashCode(array) == hash;
        U.putLongVolatile(array, 0L, header);
        return kept;
    }

    /** Where an object's header, with a number in it, is while the object is locked. */
    private static int headerOf(Object o, boolean inflated) {
        if (SHIFT == 0) {
            return UNKNOWN;
        }
        long number = FIRST_NUMBER + 5;
        mark(o, (int) number);
        synchronized (o) {
            if (inflated) {
                inflate(o);
            }
            long header = U.getLongVolatile(o, 0L), address = address(header);
            if (header >>> SHIFT == number) {
                return IN_PLACE;
            }
            boolean isAddress = (header & FREE) == 0 && address != 0 && (address & 7) == 0 && address < ADDRESSES;
            return isAddress && U.getLongVolatile(null, address) >>> SHIFT == number ? AT_ADDRESS : UNKNOWN;
        }
    }
}
