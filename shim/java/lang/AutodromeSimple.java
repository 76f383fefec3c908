package java.lang;

import static java.lang.AutodromeLayout.*;
import static java.lang.AutodromeLocksets.*;
import static java.lang.AutodromeThread.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Simple mode: the thread-locality check of O'Callahan and Choi 2003, section 6.3, and who need not ask the detector again.
 *
 * <p>The upper half of a word is a thread's number while the thread owns the variable, whatever locks it holds; it is also that
 * of a thread that has made its access without locks, since then no lock is left. Once more than one thread has come, the
 * condition is about locks and kinds of accesses only (crates/detect, eraser.rs: News): then the upper half is the mark of
 * a set of locks, the same for all threads that hold it. EVERYBODY stands in the first word when reads are redundant: no lock
 * is left, and nothing was written. What a thread did under locks while no other had come it remembers by itself.
 *
 * <p>Fields of one object have one owner, the first thread that accessed any of them. The owner is in the words of all fields
 * though: who comes to a word that is 0 puts itself into all words that are, and whoever finds another thread in one makes all
 * fields SHARED. So the object is gone through once for its owner and once when it is shared, and woven code looks at one word
 * only. Static fields belong to no object: each has an owner of its own, or, in hybrid detection's first run, none.
 *
 * <p>An array has an owner in its header first, and a number and words once another thread comes (AutodromeNumbers).
 *
 * <p>What a word says stays true, so it does not matter who writes it last. Whoever takes the ownership away clears the second
 * word after the first, and an owner swaps the first after it wrote the second. So no access goes unseen that comes after the
 * variable was shared.
 */
final class AutodromeSimple {
    private static final Unsafe U = Unsafe.getUnsafe();

    /**
     * The state of a field of an object that more than one thread has accessed, before any access to the field counts. No
     * thread has this number.
     */
    private static final int SHARED = Integer.MAX_VALUE;

    /** The number of the only thread so far, until there is another: then SHARED. */
    private static final int[] ALONE = new int[1];
    private static final long ALONE_AT = AutodromeAccesses.arrayBase('I');

    private AutodromeSimple() {}

    /** How a set of locks stands in a word; the empty set never does. */
    @ForceInline
    static int mark(int set) {
        return set | Integer.MIN_VALUE;
    }

    @ForceInline
    static void field(Object base, long firstAt, long writeAt, boolean isWrite, int site, int context) {
        Thread t = Thread.currentThread();
        long first = U.getLongVolatile(base, firstAt);
        int state = (int) first, me = t.autodrome$id;
        if (state != 0 && state == me && t.autodrome$epoch != 0 && t.autodrome$optimistic == null
                && owns(base, firstAt, writeAt, first, me, isWrite)) {
            return;
        }
        access(null, base, firstAt, writeAt, isWrite, site, context);
    }

    /** An access of the variable's owner, or its first; false if it has become another's meanwhile. */
    @ForceInline
    private static boolean owns(Object base, long firstAt, long writeAt, long first, int me, boolean isWrite) {
        long mine = (long) me << 32;
        if (isWrite) {
            U.putLong(base, writeAt, mine);
        } else if (first == (mine | me)) {
            return true;
        }
        if (U.compareAndSetLong(base, firstAt, first, mine | me)) {
            return true;
        }
        if (isWrite) {
            U.putLongVolatile(base, writeAt, 0);
        }
        return false;
    }

    /** Makes the thread the owner of an object's fields that have none; false if one has another, or is shared. */
    private static boolean ownsRest(Object o, int me) {
        long mine = (long) me << 32 | me;
        for (long offsets : AutodromeAccesses.allWords(o.getClass())) {
            long found = U.compareAndExchangeLong(o, offsets >>> 32, 0, mine);
            if (found != 0 && (int) found != me) {
                return false;
            }
        }
        return true;
    }

    /** More than one thread has come to the object: none of its fields has an owner any more. */
    private static void share(Object o) {
        for (long offsets : AutodromeAccesses.allWords(o.getClass())) {
            long firstAt = offsets >>> 32, first;
            while ((int) (first = U.getLongVolatile(o, firstAt)) >= 0 && (int) first != SHARED) {
                if (U.compareAndSetLong(o, firstAt, first, SHARED)) {
                    U.putLongVolatile(o, offsets & 0xffffffffL, 0);
                }
            }
        }
    }

    /**
     * Is the thread the only one so far? Then its accesses to static fields need not count: it starts another thread after them,
     * and phase 2 knows that this orders them.
     */
    private static boolean isAlone(int me) {
        int one = U.getIntVolatile(ALONE, ALONE_AT);
        if (one == 0) {
            one = U.compareAndExchangeInt(ALONE, ALONE_AT, 0, me);
        }
        if (one != 0 && one != me && one != SHARED) {
            startsThread();
        }
        return one == 0 || one == me;
    }

    /** From here on there is more than one thread. */
    static void startsThread() {
        U.putIntVolatile(ALONE, ALONE_AT, SHARED);
    }

    /** The first word of a field of an object that nobody else can know yet: it has an owner. */
    @ForceInline
    static long fresh(Thread t) {
        if (t.autodrome$epoch == 0) {
            return freshSlow(t);
        }
        int me = t.autodrome$id;
        return (long) me << 32 | me;
    }

    @DontInline
    private static long freshSlow(Thread t) {
        int me = enter(t);
        return counts(t, true) ? (long) me << 32 | me : 0;
    }

    /** The number of an array; 0 if the thread is its owner, so that it needs none yet, or if its access does not count. */
    static int ofArray(Object array, boolean isWrite) {
        Thread t = Thread.currentThread();
        int me = enter(t);
        if (!counts(t, isWrite)) {
            return 0;
        }
        int owner = AutodromeNumbers.claim(array, me);
        if (owner == me) {
            return 0;
        }
        int number = AutodromeNumbers.give(array);
        if (number != 0) {
            // Before the header has the number, the words say whose the array was.
            if (owner != 0) {
                long first = AutodromeArrays.address(number) + SHADOW_WORDS;
                U.compareAndSetLong(null, first, 0, (long) owner << 32 | owner);
            }
            AutodromeNumbers.mark(array, number);
        }
        return number;
    }

    @DontInline
    static void access(
            Object array, Object base, long firstAt, long writeAt, boolean isWrite, int site, int context) {
        Thread t = Thread.currentThread();
        int me = enter(t);
        if (!counts(t, isWrite)) {
            return;
        }
        boolean isStatic = base instanceof Class, isObject = base != null && !isStatic;
        boolean isOwnable = !SHARED_STATICS || !isStatic;
        if (!isOwnable && isAlone(me)) {
            return;
        }
        for (;;) {
            long first = U.getLongVolatile(base, firstAt);
            int state = (int) first;
            if (state == SETTLED) {
                settleWrite(base, writeAt);
                return;
            }
            if (state == me || state == 0 && isOwnable) {
                if (owns(base, firstAt, writeAt, first, me, isWrite)) {
                    if (state == me || !isObject || ownsRest(base, me)) {
                        return;
                    }
                    share(base);
                }
                continue;
            }
            if (state > 0 && state != SHARED && isObject) {
                share(base);
                first = U.getLongVolatile(base, firstAt);
                state = (int) first;
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
            int set = lockset(t);
            long key = key(state, isWrite, set);
            if (!ALL_PAIRS && (isMine(t, U.getLong(base, writeAt)) || !isWrite && isMine(t, first)
                    || AutodromeWords.isShared(t, key, set)
                    || !isWrite && AutodromeWords.isShared(t, key(state, true, set), set))) {
                return;
            }
            int news = decide(me, state, array, base, isWrite, set, site, context, t.autodrome$locks);
            if (news == SETTLED) {
                settle(base, firstAt, writeAt);
            } else if (!ALL_PAIRS) {
                pass(t, base, firstAt, writeAt, isWrite, first, news, set);
                AutodromeWords.keepShared(t, key, set);
            }
            return;
        }
    }

    /** Puts into the words who need not ask. Should another one have come in between, this access will be decided again. */
    private static void pass(
            Thread t, Object base, long firstAt, long writeAt, boolean isWrite, long first, int news, int set) {
        int who = news == NEWS_WRITES ? EVERYBODY : set == 0 ? t.autodrome$id : news == NEWS_LOCKS ? mark(set) : 0;
        if (who != 0) {
            U.compareAndSetLong(base, firstAt, first, (long) who << 32 | first & 0xffffffffL);
            if (isWrite) {
                U.putLongVolatile(base, writeAt, (long) who << 32);
            }
        }
    }

    /** The number of the set of locks that the thread holds. */
    @ForceInline
    private static int lockset(Thread t) {
        if (t.autodrome$lockset == 0 && t.autodrome$depth != 0) {
            t.autodrome$lockset = held(t);
        }
        return t.autodrome$lockset;
    }
}
