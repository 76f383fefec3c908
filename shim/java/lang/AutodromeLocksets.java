package java.lang;

import static java.lang.AutodromeLayout.*;
import static java.lang.AutodromeThread.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * The lockset modes (O'Callahan and Choi 2003, section 6): Simple, which asks only which locks are held at all accesses, and
 * Detailed, which compares accesses one by one and follows messages.
 *
 * <p>Here is what both have in common, and Detailed mode; Simple mode's own part is AutodromeSimple. The upper halves of a
 * variable's two words say whose accesses are redundant, by the last access and by the last write that were seen.
 * The lower half of the first word is the variable's state: 0 at first; then, in Simple mode, its owner, the thread that
 * alone has accessed the object; then the variable's number with the sign bit set; in the end SETTLED.
 *
 * <p>In Detailed mode the upper halves are tokens. A thread has a token, a number that no other thread has, for its set of locks
 * and its epoch. Without locks it is the epoch itself; others have the sign bit set. An access that comes again with the same
 * token is repeated, and is redundant, whoever came in between; so a thread also remembers some of its own.
 *
 * <p>In Detailed mode a variable has no number as long as each access is without locks and ordered after all before: then the
 * last access and the last write stand for all others (crates/detect, hybrid: the mirror image of theorem 2), and the lower
 * halves say where they were made. Whoever gives the variable a number hands them to the detector before anybody can see
 * the number. The first word says whether its access is a write, so the second one, which comes later, may be
 * late: it is then the token of a write that the detector knows.
 *
 * <p>Otherwise a token is written only after the access that it stands for was decided.
 *
 * <p>The first word is that of the last access of either kind, so woven reads look at no other (crates/weave, Passes::FIRST): who
 * has written last, and only read since, is found by the second one in the slow path.
 */
final class AutodromeLocksets {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Which of the modes it is, if any: constants. */
    static final boolean SIMPLE = AutodromeEngine.SIMPLE, DETAILED = AutodromeEngine.DETAILED;
    static final boolean LOCKSETS = SIMPLE || DETAILED;

    /** Whether each element of an array is a variable, or only the array. */
    private static final boolean BY_ELEMENT = AutodromeEngine.BY_ELEMENT;

    /** Whether static fields have no owner, in Simple mode. */
    static final boolean SHARED_STATICS = AutodromeEngine.SHARED_STATICS;

    static final boolean BY_ARRAY = LOCKSETS && !BY_ELEMENT;

    /** Whether only arrays of some classes are watched. */
    private static final boolean SELECTS = AutodromeEngine.SELECTS;

    /** In the upper half of a word: everybody's access of this kind is redundant. No token and no epoch is like it. */
    static final int EVERYBODY = -1;

    /** Both words of a variable that is settled. */
    static final long OVER = (long) EVERYBODY << 32 | SETTLED & 0xffffffffL;

    /** Whether arrays have owners before they have numbers; a recording needs the number of each. */
    static final boolean OWNED_ARRAYS = SIMPLE && !BY_ELEMENT && !AutodromeRecord.RECORDING;

    /** What is known of a class or a site. */
    private static final int UNKNOWN = 0, NO = 1, YES = 2;

    /** By site: whether its class waits or notifies. */
    private static final int PAGE_BITS = 12, PAGE = 1 << PAGE_BITS;
    @Stable private static final byte[][] CHANNELS = new byte[1 << 14][];

    static final boolean ALL_PAIRS = AutodromeEngine.ALL_PAIRS;

    /** Whether variables wait for their numbers. */
    private static final boolean PENDS = AutodromeEngine.PENDS;

    /** In the lower half of a word without a number: the context. */
    private static final int CONTEXTS = PENDING_FOR_ALL - 1;

    /** A thread's caches: sets of locks with one more, and tokens. */
    private static final int SET_BITS = 6, SET_ENTRY = 4, TOKEN_BITS = 6, TOKEN_ENTRY = 3;

    /** Where the next token is. */
    private static final long[] NEXT = {1};
    private static final long NEXT_AT = AutodromeAccesses.arrayBase('J');

    private AutodromeLocksets() {}

    /** Calls each native method once, as AutodromeStart says. */
    static void link() {
        inChannel(0);
        watches(null);
        lockset(0, 0, 0, 0);
        locate(null, null, 0, 0, 0);
        forget(0);
        contextOf(0, 0, 0, 0);
        decide(0, 0, null, null, false, 0, 0, 0, 0);
    }

    private static native boolean inChannel(int site);

    /** Whether an array may be watched, by its class. */
    private static native boolean watches(Object array);

    /** The number of a set of locks with one more. */
    private static native int lockset(int before, int number, int stamp, int mode);

    /**
     * A new variable, an array's or a field, of this object, with the accesses that its words stand for; SETTLED if it is not to
     * be watched.
     */
    static native int locate(Object array, Object holder, long first, long write, int site);

    /** Nobody has seen this new variable. */
    static native void forget(int variable);

    /** The number of the context of an access. */
    static native int contextOf(int me, int site, int context, int locks);

    /** Decides an access; says whose further accesses matter (AutodromeSimple), SETTLED if nobody's. */
    static native int decide(
            int me, int variable, Object array, Object holder, boolean isWrite, int held, int site, int context, int locks);

    /** The thread has another epoch, or its first. Simple mode has no time, so the token is the thread's number. */
    @ForceInline
    static void ticked(Thread t) {
        if (SIMPLE) {
            t.autodrome$token = t.autodrome$id == 0 ? 0 : ~t.autodrome$id;
        } else {
            changed(t);
        }
    }

    /** The thread's locks or its time have changed. The token is kept as its complement, as the epoch is. */
    @ForceInline
    static void changed(Thread t) {
        if (LOCKSETS) {
            if (DETAILED) {
                t.autodrome$token = t.autodrome$depth == 0 ? t.autodrome$epoch : 0;
            }
            t.autodrome$lockset = 0;
        }
    }

    /** Would another access of the current thread, of the kind of this word, be redundant? */
    @ForceInline
    static boolean isMine(Thread t, long word) {
        return (int) (word >>> 32) == ~t.autodrome$token || isOurs(t, word);
    }

    /**
     * The same of a word that is not the thread's own. Left to the compilers to inline, as AutodromeWords.isSharedNow is: it stands
     * at every access of the program, and most are to what is the thread's own.
     */
    private static boolean isOurs(Thread t, long word) {
        int half = (int) (word >>> 32);
        if (SIMPLE) {
            return half < 0 && (half == EVERYBODY || half == AutodromeSimple.mark(t.autodrome$lockset));
        }
        int state = (int) word, token = ~t.autodrome$token;
        return half == EVERYBODY || state < 0 && !ALL_PAIRS && token != ~0
                && AutodromeWords.isShared(t, key(state, false, token), token);
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

    /** An access to a field whose words lie at these offsets. */
    @ForceInline
    static void field(Object base, long offsets, boolean isWrite, int site, int context) {
        long firstAt = offsets >>> 32, writeAt = offsets & 0xffffffffL;
        if (SIMPLE) {
            AutodromeSimple.field(base, firstAt, writeAt, isWrite, site, context);
        } else {
            access(null, base, firstAt, writeAt, isWrite, site, context);
        }
    }

    /** An access to an array's element. */
    @ForceInline
    static void element(Object array, int index, boolean isWrite, int site, int context) {
        if (OWNED_ARRAYS && AutodromeNumbers.isOwned(array, ~Thread.currentThread().autodrome$token)) {
            return;
        }
        int number = AutodromeNumbers.number(array);
        if (AutodromeNumbers.isNumber(number)) {
            long word = AutodromeArrays.address(number) + SHADOW_WORDS + (BY_ELEMENT ? (long) index << 4 : 0) + (isWrite ? 8 : 0);
            long known = U.getLong(word);
            if (isMine(Thread.currentThread(), known)) {
                return;
            }
        }
        if (!SELECTS || isWatched(array)) {
            elementSlow(array, number, index, isWrite, site, context);
        }
    }

    /** May the array be watched, by its class? One that is not needs no number. */
    @ForceInline
    private static boolean isWatched(Object array) {
        int known = array.getClass().autodrome$watched;
        return known == UNKNOWN ? findWatched(array) : known == YES;
    }

    @DontInline
    private static boolean findWatched(Object array) {
        boolean found = watches(array);
        array.getClass().autodrome$watched = found ? YES : NO;
        return found;
    }

    @DontInline
    private static void elementSlow(Object array, int number, int index, boolean isWrite, int site, int context) {
        if (!AutodromeNumbers.isNumber(number)) {
            number = OWNED_ARRAYS ? AutodromeSimple.ofArray(array, isWrite) : AutodromeNumbers.register(array);
            if (number == 0) {
                return;
            }
        }
        long words = AutodromeArrays.address(number) + SHADOW_WORDS + (BY_ELEMENT ? (long) index << 4 : 0);
        if (SIMPLE) {
            AutodromeSimple.access(array, null, words, words + 8, isWrite, site, context);
        } else {
            access(array, null, words, words + 8, isWrite, site, context);
        }
        // Until here the words must not become another array's.
        keepAlive(array);
    }

    /** Accesses to elements with a constant stride. */
    static void range(Object array, int from, int to, int step, boolean isWrite, int site, int context) {
        for (int i = from; i < (BY_ELEMENT ? to : from + 1); i += step) {
            element(array, i, isWrite, site, context);
        }
    }

    @DontInline
    private static void access(
            Object array, Object base, long firstAt, long writeAt, boolean isWrite, int site, int context) {
        Thread t = Thread.currentThread();
        int me = enter(t);
        if (!counts(t, isWrite)) {
            return;
        }
        t.autodrome$used = 1;
        int token = token(t);
        // What the thread has written at the same time under the same locks stands for its reads too.
        if (!isWrite && token != 0 && (int) (U.getLong(base, writeAt) >>> 32) == token) {
            return;
        }
        if (PENDS && token > 0 && pend(t, me, base, firstAt, writeAt, isWrite, site, context, token)) {
            return;
        }
        for (;;) {
            long first = U.getLongVolatile(base, firstAt);
            int state = (int) first;
            if (state == SETTLED) {
                settleWrite(base, writeAt);
                return;
            }
            if (state >= 0) {
                if ((state = number(array, base, firstAt, writeAt, first, site)) == 0) {
                    continue;
                }
                if (state == SETTLED) {
                    return;
                }
                first = state & 0xffffffffL;
            }
            long key = key(state, isWrite, token);
            if (!ALL_PAIRS && (AutodromeWords.isShared(t, key, token)
                    || !isWrite && AutodromeWords.isShared(t, key(state, true, token), token))) {
                return;
            }
            int set = t.autodrome$lockset, held = t.autodrome$locks;
            if (decide(me, state, array, base, isWrite, set, site, context, held) == SETTLED) {
                settle(base, firstAt, writeAt);
                return;
            }
            if (!ALL_PAIRS) {
                // Should another one have come in between, this one will be decided again.
                long mine = (long) token << 32;
                U.compareAndSetLong(base, firstAt, first, mine | state & 0xffffffffL);
                if (isWrite) {
                    U.putLongVolatile(base, writeAt, mine);
                }
                if (token != 0) {
                    AutodromeWords.keepShared(t, key, token);
                }
            }
            return;
        }
    }

    /** What a thread remembers an access by: one variable has several, under different locks. */
    @ForceInline
    static long key(int state, boolean isWrite, int token) {
        int of = state << 1 | (isWrite ? 1 : 0);
        return (long) (of + token * 0x9E3779B1) << 32 | of & 0xffffffffL;
    }

    /** Does an access of this thread count? */
    @ForceInline
    static boolean counts(Thread t, boolean isWrite) {
        if (t.autodrome$epoch == 0) {
            AutodromeWords.unwatched();
            return false;
        }
        // What is read under an optimistic stamp counts only if nobody wrote meanwhile: as if under the lock.
        return t.autodrome$optimistic == null || isWrite;
    }

    /**
     * Gives a variable a number, with what its words stand for; SETTLED if it is not to be watched, 0 if the first word was not
     * this one any more.
     */
    static int number(Object array, Object base, long firstAt, long writeAt, long first, int site) {
        long write = PENDS ? U.getLongVolatile(base, writeAt) : 0;
        int state = locate(array, array != null ? array : base, PENDS ? first : 0, write, site);
        if (!U.compareAndSetLong(base, firstAt, first, state == SETTLED ? OVER : state & 0xffffffffL)) {
            forget(state);
            return 0;
        }
        U.putLongVolatile(base, writeAt, state == SETTLED ? OVER : 0);
        return state;
    }

    /** Nothing more is to be learned of a variable. */
    static void settle(Object base, long firstAt, long writeAt) {
        U.putLongVolatile(base, firstAt, OVER);
        U.putLongVolatile(base, writeAt, OVER);
    }

    /** The same, for those who look at the second word only: another thread may have overwritten it. */
    static void settleWrite(Object base, long writeAt) {
        if (U.getLong(base, writeAt) != OVER) {
            U.putLong(base, writeAt, OVER);
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
            long next = (long) epoch << 32 | number | (isWrite ? PENDING_WRITES : 0);
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
        return alone > CONTEXTS ? 0 : number < 0 ? alone | PENDING_FOR_ALL : alone;
    }

    /** The thread's token; 0 if there are no more, which equals none. */
    @ForceInline
    private static int token(Thread t) {
        return t.autodrome$token != 0 ? ~t.autodrome$token : newToken(t);
    }

    @DontInline
    private static int newToken(Thread t) {
        int set = held(t), epoch = t.autodrome$epoch;
        t.autodrome$lockset = set;
        if (set == 0) {
            t.autodrome$token = epoch;
            return ~epoch;
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
    static int held(Thread t) {
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
        if (mode == HELD_MONITOR) {
            int number = AutodromeNumbers.numberOfHeld(lock);
            return AutodromeNumbers.isNumber(number) ? number : AutodromeNumbers.registerHeld(lock);
        }
        int number = AutodromeNumbers.number(lock);
        return AutodromeNumbers.isNumber(number) ? number : AutodromeNumbers.register(lock);
    }
}
