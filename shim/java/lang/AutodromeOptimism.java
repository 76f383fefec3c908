package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * Optimistic reads of a StampedLock: what a thread reads between tryOptimisticRead() and validate().
 *
 * <p>Such reads are held. If validate() says that nobody wrote, they stand where the stamp was taken: each must come after the
 * write that it saw, but later writes may follow without order. If it says that somebody did, the program throws what it
 * read away. If it is never asked, they were plain reads.
 *
 * <p>Stamps of several locks may be taken before any is validated: then the reads wait until all are. And a stamp may be
 * validated more than once, each time for what was read since: so a thread goes on to hold its reads after that, but only
 * until it learns of other threads, since it would no longer be known what they came before.
 */
final class AutodromeOptimism {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** How many reads are held at most, and how many once every stamp was validated; beyond, they count as plain ones. */
    private static final int MOST = 256, MOST_AFTER = 32;

    /** A read of a field, or of an element (then `offsets` is its index and `isElement` is set). */
    static final class Held {
        final Object base;
        final long offsets;
        final long write;
        final int site;
        final int context;
        final boolean isElement;

        Held(Object base, long offsets, long write, int site, int context, boolean isElement) {
            this.base = base;
            this.offsets = offsets;
            this.write = write;
            this.site = site;
            this.context = context;
            this.isElement = isElement;
        }
    }

    /** The reads of a thread since it took a stamp. */
    private static final class Section {
        /** The locks whose stamps are not validated yet. */
        private Object[] open;

        private int opened;

        private Held[] held = new Held[4];

        private int count;

        Section(Object... locks) {
            open = locks;
            opened = locks.length;
        }

        private int place(Object lock) {
            int place = opened - 1;
            while (place >= 0 && open[place] != lock) {
                place--;
            }
            return place;
        }

        void open(Object lock) {
            if (opened == open.length) {
                Object[] more = new Object[opened + 2];
                for (int i = 0; i < opened; i++) {
                    more[i] = open[i];
                }
                open = more;
            }
            open[opened++] = lock;
        }

        void close(Object lock) {
            int place = place(lock);
            if (place >= 0) {
                open[place] = open[--opened];
            }
        }

        void add(Held read) {
            if (count == held.length) {
                Held[] more = new Held[2 * count];
                for (int i = 0; i < count; i++) {
                    more[i] = held[i];
                }
                held = more;
            }
            held[count++] = read;
        }
    }

    private AutodromeOptimism() {}

    /** From here on the thread's reads are held, until the lock's stamp is validated. */
    static void begin(Thread t, Object lock) {
        Section section = (Section) t.autodrome$optimistic;
        if (section != null && section.opened > 0 && section.place(lock) < 0) {
            AutodromeRuns.end(t);
            section.open(lock);
        } else {
            give(t);
            t.autodrome$optimistic = new Section(lock);
        }
    }

    /** Holds a read, if the thread is optimistic; says whether it did. */
    static boolean holds(Thread t, Object base, long offsets, long write, int site, int context, boolean isElement) {
        Section section = (Section) t.autodrome$optimistic;
        if (section == null) {
            return false;
        }
        if (section.count >= (section.opened > 0 ? MOST : MOST_AFTER)) {
            give(t);
            return false;
        }
        section.add(new Held(base, offsets, write, site, context, isElement));
        AutodromeWords.learn(t, site, context);
        // Whatever the thread hands on before it validates, comes after these reads: so they are given before.
        t.autodrome$used = 1;
        return true;
    }

    /**
     * A stamp was validated: nobody wrote since it was taken, or somebody may have. `goesOn` says whether it stays an optimistic
     * one.
     */
    static void end(Thread t, Object lock, boolean isValid, boolean goesOn) {
        Section section = (Section) t.autodrome$optimistic;
        if (section == null) {
            return;
        }
        if (!isValid) {
            t.autodrome$optimistic = null;
            return;
        }
        section.close(lock);
        if (section.opened > 0) {
            return;
        }
        t.autodrome$optimistic = null;
        for (int i = 0; i < section.count; i++) {
            Held read = section.held[i];
            if (!read.isElement) {
                AutodromeWords.checkOptimistic(t, read.base, read.write, read.site, read.context);
            }
        }
        if (goesOn && !AutodromeLocksets.LOCKSETS) {
            t.autodrome$optimistic = new Section();
        }
    }

    /** The thread is about to learn of others. */
    static void learn(Thread t) {
        Section section = (Section) t.autodrome$optimistic;
        if (section != null && section.opened == 0) {
            give(t);
        }
    }

    /**
     * The thread hands on what it did, or takes another stamp of the same lock: its runs end, and the reads held, if any, were
     * plain ones.
     */
    static void give(Thread t) {
        AutodromeRuns.end(t);
        Section section = (Section) t.autodrome$optimistic;
        if (section == null) {
            return;
        }
        t.autodrome$optimistic = null;
        for (int i = 0; i < section.count; i++) {
            Held read = section.held[i];
            if (read.isElement) {
                AutodromeArrays.readAgain(read.base, (int) read.offsets, read.site, read.context);
            } else {
                AutodromeWords.readSlow(
                        read.base, U.getLongVolatile(read.base, read.offsets >>> 32), read.offsets, read.site, read.context);
            }
        }
    }
}
