package java.lang;

import static java.lang.AutodromeThread.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * The lockset modes (hybrid.txt, section 6): Simple, which asks only which locks are held at all accesses, and Detailed,
 * which compares accesses one by one and follows messages.
 *
 * <p>A thread has a token, a number that no other thread has, for its set of locks and, in Detailed mode, its epoch. Without
 * locks it is the epoch itself, or the thread's number in Simple mode; others have the sign bit set. The upper halves of a
 * variable's two words are the tokens of the last access and of the last write that were seen: one that comes again with the
 * same token is repeated, and tells nothing, whoever came in between; so a thread also remembers some of its own. The lower
 * half of the first word is the variable's state: 0 at first; then, in Simple mode, its owner, the thread that alone has
 * accessed it; then the variable's number with the sign bit set; in the end SETTLED.
 *
 * <p>In Detailed mode a variable has no number as long as each access is without locks and ordered after all before: then the
 * last access and the last write stand for all others (crates/detect, hybrid: the mirror image of theorem 2), and the lower
 * halves tell where they were made. Whoever gives the variable a number hands them to the detector before anybody can see
 * the number. The first word tells whether its access is a write, so the second one, which comes later, may be
 * late: it is then the token of a write that the detector has been told.
 *
 * <p>Otherwise a token is written only after the access that it stands for was decided, or while the thread owns the
 * variable; whoever takes the ownership away clears the second word after the first, and an owner swaps the first after it
 * wrote the second. So no access goes unseen that comes after the variable was shared.
 */
final class AutodromeLocksets {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final int MODE = mode();

    /** Which of the modes it is, if any: constants. */
    static final boolean SIMPLE = MODE == 1, DETAILED = MODE == 2, LOCKSETS = SIMPLE || DETAILED;

    /** Whether each element of an array is a variable, or only the array. */
    private static final boolean BY_ELEMENT = LOCKSETS && byElement();

    /** The state of a variable of which nothing more is to be learned. */
    private static final int SETTLED = Integer.MIN_VALUE;

    /** In a shadow of an array: the words of the first element, or of the array. */
    private static final int WORDS = 16;

    /** By site: whether its class waits or notifies. */
    private static final int PAGE_BITS = 12, PAGE = 1 << PAGE_BITS, UNKNOWN = 0, NO = 1, YES = 2;
    @Stable private static final byte[][] CHANNELS = new byte[1 << 14][];

    private static final boolean ALL_PAIRS = LOCKSETS && allPairs();

    /** Whether variables wait for their numbers. */
    private static final boolean PENDS = DETAILED && pends();

    /** In the lower half of a word without a number: whether it is a write, and a context of a site alone; then the context. */
    private static final int WRITES = 1 << 30, FOR_ALL = 1 << 29, CONTEXTS = FOR_ALL - 1;

    /** A thread's caches: sets of locks with one more, and tokens. */
    private static final int SET_BITS = 6, SET_ENTRY = 4, TOKEN_BITS = 6, TOKEN_ENTRY = 3;

    /** Where the next token is. */
    private static final long[] NEXT = {1};
    private static final long NEXT_AT = AutodromeAccesses.arrayBase('J');

    private AutodromeLocksets() {}

    /** Calls each native method once, as AutodromeShim says. */
    static void link() {
        inChannel(0);
        lockset(0, 0, 0, 0);
        locate(null, null, 0, 0, 0);
        forget(0);
        contextOf(0, 0, 0, 0);
        decide(0, 0, null, false, 0, 0, 0, 0);
    }

    private static native int mode();

    /** Whether every pair of places is wanted, so that no access is repeated. */
    private static native boolean allPairs();

    private static native boolean inChannel(int site);

    private static native boolean byElement();

    /** The number of a set of locks with one more. */
    private static native int lockset(int before, int number, int stamp, int mode);

    /** Whether a variable whose accesses are all ordered needs no number. */
    private static native boolean pends();

    /**
     * A new variable, an array's or a field, of this object, with the accesses that its words tell of; SETTLED if it is not to
     * be watched.
     */
    private static native int locate(Object array, Object holder, long first, long write, int site);

    /** Nobody has seen this new variable. */
    private static native void forget(int variable);

    /** The number of the context of an access. */
    private static native int contextOf(int me, int site, int context, int locks);

    /** Decides an access; SETTLED if it was the last one to be decided. */
    private static native int decide(
            int me, int variable, Object array, boolean isWrite, int held, int site, int context, int locks);

    /** The thread's locks or its time have changed. */
    @ForceInline
    static void changed(Thread t) {
        if (LOCKSETS) {
            boolean isFree = t.autodrome$depth == 0;
            t.autodrome$token = isFree ? free(t) : 0;
            t.autodrome$lockset = 0;
        }
    }

    /** The complement of the token of a thread without locks; 0 if it is not watched. */
    @ForceInline
    private static int free(Thread t) {
        return DETAILED ? t.autodrome$epoch : t.autodrome$id == 0 ? 0 : ~t.autodrome$id;
    }

    /** The thread has taken a monitor: its cells. In the lockset modes locks make no order, but for those of channels. */
    @ForceInline
    static Object takeMonitor(Object o, int site) {
        if (SIMPLE) {
            return null;
        }
        Object cells = AutodromeCells.ofMonitor(o);
        if (!DETAILED || isChannel(site)) {
            AutodromeCells.acquireMonitor(cells);
        }
        return cells;
    }

    /** The thread gives a monitor back, for good or to wait. */
    @ForceInline
    static void giveMonitor(Object cells, int site) {
        if (!DETAILED || isChannel(site)) {
            AutodromeCells.releaseMonitor(cells);
        }
    }

    /** Is the site in a class that waits or notifies? Such a class passes data on, so its locks are messages. */
    @ForceInline
    private static boolean isChannel(int site) {
        byte[] page = CHANNELS[site >>> PAGE_BITS];
        int known = page == null ? UNKNOWN : page[site & PAGE - 1];
        return known == UNKNOWN ? findChannel(site) : known == YES;
    }

    @DontInline
    private static boolean findChannel(int site) {
        boolean found = inChannel(site);
        synchronized (CHANNELS) {
            if (CHANNELS[site >>> PAGE_BITS] == null) {
                CHANNELS[site >>> PAGE_BITS] = new byte[PAGE];
            }
            CHANNELS[site >>> PAGE_BITS][site & PAGE - 1] = (byte) (found ? YES : NO);
        }
        return found;
    }

    /** A notification is a message to all who wait: they acquire the monitor's cell when they go on. */
    static void notifies(Object o) {
        Object cells;
        if (DETAILED && o != null && (cells = AutodromeLocks.cells(Thread.currentThread(), o)) != null) {
            AutodromeCells.releaseMonitor(cells);
        }
    }

    /** An access to a field whose words lie at these offsets: one of them has this value. */
    @ForceInline
    static void field(Object base, long word, long offsets, boolean isWrite, int site, int context) {
        if ((int) word != SETTLED) {
            fieldSlow(base, offsets, isWrite, site, context);
        }
    }

    @DontInline
    private static void fieldSlow(Object base, long offsets, boolean isWrite, int site, int context) {
        access(null, base, offsets >>> 32, offsets & 0xffffffffL, isWrite, site, context);
    }

    /** An access to an array's element. */
    @ForceInline
    static void element(Object array, int index, boolean isWrite, int site, int context) {
        int number = AutodromeNumbers.number(array);
        if (AutodromeNumbers.isNumber(number)) {
            long word = AutodromeArrays.address(number) + WORDS + (BY_ELEMENT ? (long) index << 4 : 0) + (isWrite ? 8 : 0);
            long known = U.getLong(word);
            if (isMine(known) || (int) known == SETTLED) {
                return;
            }
        }
        elementSlow(array, number, index, isWrite, site, context);
    }

    @DontInline
    private static void elementSlow(Object array, int number, int index, boolean isWrite, int site, int context) {
        if (!AutodromeNumbers.isNumber(number) && (number = AutodromeNumbers.register(array)) == 0) {
            return;
        }
        long words = AutodromeArrays.address(number) + WORDS + (BY_ELEMENT ? (long) index << 4 : 0);
        access(array, null, words, words + 8, isWrite, site, context);
        // Until here the words must not become another array's.
        keepAlive(array);
    }

    static void range(Object array, int from, int to, boolean isWrite, int site, int context) {
        for (int i = from; i < (BY_ELEMENT ? to : from + 1); i++) {
            element(array, i, isWrite, site, context);
        }
    }

    private static void access(
            Object array, Object base, long firstAt, long writeAt, boolean isWrite, int site, int context) {
        Thread t = Thread.currentThread();
        int me = enter(t);
        if (t.autodrome$epoch == 0) {
            AutodromeWords.unwatched();
            return;
        }
        // What is read under an optimistic stamp counts only if nobody wrote meanwhile: as if under the lock.
        if (t.autodrome$optimistic != null && !isWrite) {
            return;
        }
        t.autodrome$used = 1;
        int token = token(t);
        if (PENDS && token > 0 && pend(t, me, base, firstAt, writeAt, isWrite, site, context, token)) {
            return;
        }
        long mine = ALL_PAIRS ? 0 : (long) token << 32;
        for (;;) {
            long first = U.getLongVolatile(base, firstAt);
            int state = (int) first;
            if (state == SETTLED) {
                // For those who look at one word only.
                if ((int) U.getLong(base, writeAt) != SETTLED) {
                    U.putLong(base, writeAt, SETTLED & 0xffffffffL);
                }
                return;
            }
            if (SIMPLE && (state == 0 || state == me)) {
                if (owns(base, firstAt, writeAt, first, mine | me, isWrite)) {
                    return;
                }
                continue;
            }
            if (state >= 0) {
                long write = PENDS ? U.getLongVolatile(base, writeAt) : 0;
                state = locate(array, array != null ? array : base, PENDS ? first : 0, write, site);
                if (!U.compareAndSetLong(base, firstAt, first, state & 0xffffffffL)) {
                    forget(state);
                    continue;
                }
                U.putLongVolatile(base, writeAt, 0);
                first = state & 0xffffffffL;
                if (state == SETTLED) {
                    return;
                }
            }
            long key = (long) (state << 1 | (isWrite ? 1 : 0)) << 32;
            if (!ALL_PAIRS && (AutodromeWords.isShared(t, key, token)
                    || !isWrite && AutodromeWords.isShared(t, key | 1L << 32, token))) {
                return;
            }
            state = decide(me, state, array, isWrite, t.autodrome$lockset, site, context, t.autodrome$locks);
            // Should another one have come in between, this one will be decided again.
            U.compareAndSetLong(base, firstAt, first, mine | state & 0xffffffffL);
            if (isWrite || state == SETTLED) {
                U.putLongVolatile(base, writeAt, mine | (state == SETTLED ? state & 0xffffffffL : 0));
            }
            if (!ALL_PAIRS && token != 0) {
                AutodromeWords.keepShared(t, key, token);
            }
            return;
        }
    }

    /** An access without locks to a variable without a number; false if it is not ordered after all before. */
    private static boolean pend(
            Thread t, int me, Object base, long firstAt, long writeAt, boolean isWrite, int site, int context, int epoch) {
        int number = 0;
        for (;;) {
            long first = U.getLongVolatile(base, firstAt);
            if ((int) first < 0 || !AutodromeWords.isOrdered(t, (int) (first >>> 32), epoch)
                    || !AutodromeWords.isOrdered(t, (int) (U.getLongVolatile(base, writeAt) >>> 32), epoch)) {
                return false;
            }
            if (number == 0 && (number = contextOf(t, me, site, context)) == 0) {
                return false;
            }
            long next = (long) epoch << 32 | number | (isWrite ? WRITES : 0);
            if (U.compareAndSetLong(base, firstAt, first, next)) {
                if (isWrite) {
                    U.putLong(base, writeAt, next);
                }
                t.autodrome$medium++;
                return true;
            }
        }
    }

    /** The context of an access as a word has it; 0 if it does not fit. */
    @ForceInline
    private static int contextOf(Thread t, int me, int site, int context) {
        int number = AutodromeWords.known(t, context, site);
        if (number == 0) {
            number = contextOf(me, site, context, t.autodrome$locks);
            AutodromeWords.keep(t, context, site, number);
        }
        int alone = number & Integer.MAX_VALUE;
        return alone > CONTEXTS ? 0 : number < 0 ? alone | FOR_ALL : alone;
    }

    /**
     * An access of the variable's owner, or its first; false if it has become another's meanwhile. Then the token that a write
     * has left is of use only to this thread, which goes on to have the write decided.
     */
    @ForceInline
    private static boolean owns(Object base, long firstAt, long writeAt, long first, long next, boolean isWrite) {
        if (isWrite) {
            U.putLong(base, writeAt, next);
        } else if (first == next) {
            return true;
        }
        return U.compareAndSetLong(base, firstAt, first, next);
    }

    /** The thread's token; 0 if there are no more, which equals none. */
    @ForceInline
    private static int token(Thread t) {
        return t.autodrome$token != 0 ? ~t.autodrome$token : newToken(t);
    }

    @DontInline
    private static int newToken(Thread t) {
        int set = held(t), epoch = DETAILED ? t.autodrome$epoch : 1;
        t.autodrome$lockset = set;
        if (set == 0) {
            t.autodrome$token = free(t);
            return ~t.autodrome$token;
        }
        int[] tokens = t.autodrome$tokens;
        if (tokens == null) {
            t.autodrome$tokens = tokens = new int[TOKEN_ENTRY << TOKEN_BITS];
        }
        int at = TOKEN_ENTRY * ((set * 31 + epoch) * 0x9E3779B1 >>> 32 - TOKEN_BITS);
        if (tokens[at] != epoch || tokens[at + 1] != set) {
            long next = U.getAndAddLong(NEXT, NEXT_AT, 1);
            // The last one is the complement of 0.
            if (next >= Integer.MAX_VALUE) {
                return 0;
            }
            tokens[at] = epoch;
            tokens[at + 1] = set;
            tokens[at + 2] = (int) next | Integer.MIN_VALUE;
        }
        t.autodrome$token = ~tokens[at + 2];
        return tokens[at + 2];
    }

    /** The number of the set of locks that the thread holds. */
    private static int held(Thread t) {
        int set = 0;
        for (int i = 0; i < t.autodrome$depth; i++) {
            int mode = AutodromeLocks.mode(t, i);
            set = with(t, set, AutodromeLocks.lock(t, i), mode);
        }
        return set;
    }

    private static int with(Thread t, int set, Object lock, int mode) {
        int number = number(lock, mode);
        if (number == 0) {
            return set;
        }
        int stamp = (int) (AutodromeArrays.stamp(number) >>> 40) << 2 | mode;
        int[] sets = t.autodrome$locksets;
        if (sets == null) {
            t.autodrome$locksets = sets = new int[SET_ENTRY << SET_BITS];
        }
        int at = SET_ENTRY * (((set * 31 + number) * 31 + stamp) * 0x9E3779B1 >>> 32 - SET_BITS);
        if (sets[at] != set || sets[at + 1] != number || sets[at + 2] != stamp || sets[at + 3] == 0) {
            sets[at + 3] = lockset(set, number, stamp >>> 2, mode);
            sets[at] = set;
            sets[at + 1] = number;
            sets[at + 2] = stamp;
        }
        return sets[at + 3];
    }

    /** The number of a lock that the thread has; 0 if there is no memory for one. */
    private static int number(Object lock, int mode) {
        if (mode == AutodromeLocks.MONITOR) {
            int number = AutodromeNumbers.numberOfHeld(lock);
            return AutodromeNumbers.isNumber(number) ? number : AutodromeNumbers.registerHeld(lock);
        }
        int number = AutodromeNumbers.number(lock);
        return AutodromeNumbers.isNumber(number) ? number : AutodromeNumbers.register(lock);
    }
}
