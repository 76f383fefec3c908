package java.lang;

import static java.lang.AutodromeLocksets.*;
import static java.lang.AutodromeThread.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Simple mode: the thread-locality check of hybrid.txt, section 6.3, and who need not ask the detector again.
 *
 * <p>The upper half of a word is a thread's number while the thread owns the variable, whatever locks it holds; it is also that
 * of a thread that has made its access without locks, since then no lock is left. Once more than one thread has come, the
 * condition is about locks and kinds of accesses only (crates/detect, eraser.rs: News): then the upper half is the mark of
 * a set of locks, the same for all threads that hold it. EVERYBODY stands in the first word when reads tell nothing: no lock
 * is left, and nothing was written. What a thread did under locks while no other had come it remembers by itself.
 *
 * <p>An array has an owner in its header first, and a number and words once another thread comes (AutodromeNumbers).
 *
 * <p>What a word says stays true, so it does not matter who writes it last. Whoever takes the ownership away clears the second
 * word after the first, and an owner swaps the first after it wrote the second. So no access goes unseen that comes after the
 * variable was shared.
 */
final class AutodromeSimple {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** What decide() answers: who has made this access before need not ask; nor who holds these locks; nor who reads. */
    private static final int LOCKS = 1, WRITES = 2;

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
        if ((state == 0 || state == me) && t.autodrome$epoch != 0 && t.autodrome$optimistic == null
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
            // Before the header tells the number, the words tell whose the array was.
            if (owner != 0) {
                long first = AutodromeArrays.address(number) + WORDS;
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
        for (;;) {
            long first = U.getLongVolatile(base, firstAt);
            int state = (int) first;
            if (state == SETTLED) {
                settleWrite(base, writeAt);
                return;
            }
            if (state == 0 || state == me) {
                if (owns(base, firstAt, writeAt, first, me, isWrite)) {
                    return;
                }
                continue;
            }
            if (state > 0) {
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
            int news = decide(me, state, array, isWrite, set, site, context, t.autodrome$locks);
            if (news == SETTLED) {
                settle(base, firstAt, writeAt);
            } else if (!ALL_PAIRS) {
                tell(t, base, firstAt, writeAt, isWrite, first, news, set);
                AutodromeWords.keepShared(t, key, set);
            }
            return;
        }
    }

    /** Puts into the words who need not ask. Should another one have come in between, this access will be decided again. */
    private static void tell(
            Thread t, Object base, long firstAt, long writeAt, boolean isWrite, long first, int news, int set) {
        int who = news == WRITES ? EVERYBODY : set == 0 ? t.autodrome$id : news == LOCKS ? mark(set) : 0;
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
