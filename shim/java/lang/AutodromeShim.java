package java.lang;

import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * The Java side of the agent: what woven code calls. The agent defines this class when the JVM starts.
 *
 * <p>A field that can race has two shadow words, one for reads and one for writes (crates/runtime, word.rs). The fast path
 * compares the epoch in a word with the thread's own: equal means that nothing is new. The medium path takes accesses
 * that follow only accesses of the thread's own slot, all of which it has seen. Everything else is decided in Rust on
 * plain values; the words are changed here, because native code cannot hold on to where an object lies.
 *
 * <p>A thread's epoch is kept as its complement, so that the 0 of a thread that no hook has seen yet, and of one
 * that waits, equals no word. No method here throws, calls woven code, or uses a JDK class beyond Unsafe and Field.
 */
public final class AutodromeShim {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Whether hooks do anything: constant, so that the compiler removes them if not. */
    private static final boolean ON = isOn();

    /** What find() says of a site's field; a plain one has the offsets of its words instead. */
    private static final long UNKNOWN = 0, UNWATCHED = -1, VOLATILE = -2;

    /** How many bits of an epoch are its time; those above are its slot (word.rs). */
    private static final int TIME_BITS = 20;

    /** Sizes of a thread's caches: contexts of accesses, and clocks of reads that know of the thread's epoch. */
    private static final int CACHE_BITS = 8, SHARED_BITS = 11;

    private static final int PAGE_BITS = 12, PAGE = 1 << PAGE_BITS, PAGES = 1 << 14;

    /** By site: one of the above, or the offsets of the words of reads (upper half) and of writes. */
    @Stable private static final long[][] FIELDS = new long[PAGES][];

    /** By site of a static field: the object that holds the words. */
    @Stable private static final Object[][] BASES = new Object[PAGES][];

    /** By site: the number of the class with a static initializer that the site needs, if any. */
    @Stable private static final int[][] CLASSES = new int[PAGES][];

    // The JVM runs Java code to find a native method when it is first called, and a hook may be where the stack is full. So
    // each is called once, here: without a thread they do nothing.
    static {
        if (ON) {
            attach(null);
            resume(0);
            read(0, 0, 0, 0, 0);
            write(0, 0, 0, 0, 0);
            checkWrite(0, 0, 0, 0);
            checkReads(0, 0, 0, 0);
            retire(0, 0, 0, 0);
            discard(0);
            find(0, null, null);
            classOf(0);
            numberOf(null);
            acquire(0, null, 0);
            release(0, null, 0);
            waits(0, null, 0);
            receive(0, null, 0);
            send(0, null, 0, 0);
            receiveInitializer(0, 0);
            sendInitializer(0, 0, 0);
            fork(0, null, 0, 0);
            epochOf(0);
            join(0, 0);
            sendInterrupt(0, 0, 0);
            receiveInterrupt(0, 0);
        }
    }

    private AutodromeShim() {}

    // What the agent decides. A thread is named by its number, which is never 0.

    private static native boolean isOn();

    /** Gives the current thread a number and an epoch. */
    private static native int attach(Thread thread);

    /** The thread goes on after a wait, or has no slot; its epoch, or 0 if it is not watched. */
    private static native int resume(int me);

    /** Counts an access of a thread that is not watched. */
    private static native void unwatched();

    private static native long read(int me, long reads, long write, int site, int context);

    private static native long write(int me, long reads, long write, int site, int context);

    /** A read was recorded, and the word of writes has changed meanwhile. */
    private static native void checkWrite(int me, long write, int site, int context);

    /** A write was recorded, and the word of reads has changed meanwhile. */
    private static native void checkReads(int me, long reads, int site, int context);

    /** A write has taken this word of reads away. */
    private static native void retire(int me, long reads, int site, int context);

    /** This new word of reads could not be put in place. */
    private static native void discard(long reads);

    /** What field a site accesses; fills in the fields of both words if it has some. 0: its class is not ready. */
    private static native int find(int site, Object receiver, Field[] words);

    /** The number of the class of a static field if it has a static initializer, else 0. */
    private static native int classOf(int site);

    private static native int numberOf(Object type);

    // A method that hands the thread's past on is told whether the medium path has used the thread's epoch.

    /** Gives the locks held, by number. */
    private static native int acquire(int me, Object monitor, int site);

    /** Gives the locks held, by number, in the upper half, and the epoch. */
    private static native long release(int me, Object monitor, int used);

    private static native void waits(int me, Object monitor, int used);

    private static native void receive(int me, Object object, int site);

    private static native int send(int me, Object object, int site, int used);

    private static native void receiveInitializer(int me, int type);

    private static native int sendInitializer(int me, int type, int used);

    /** The thread will be started; `known` is its number if it was to be started before. Its number. */
    private static native int fork(int me, Thread child, int known, int used);

    private static native int epochOf(int thread);

    private static native void join(int me, int ended);

    private static native int sendInterrupt(int me, int thread, int used);

    private static native void receiveInterrupt(int me, int thread);

    // Threads.

    /** The number of the current thread, which is watched from here on. */
    @ForceInline
    private static int enter(Thread t) {
        return t.autodrome$epoch != 0 ? t.autodrome$id : enterSlow(t);
    }

    @DontInline
    private static int enterSlow(Thread t) {
        if (t.autodrome$id == 0) {
            t.autodrome$id = attach(t);
        }
        tick(t, resume(t.autodrome$id));
        return t.autodrome$id;
    }

    @ForceInline
    private static void tick(Thread t, int epoch) {
        int next = epoch == 0 ? 0 : ~epoch;
        if (t.autodrome$epoch != next) {
            t.autodrome$epoch = next;
            t.autodrome$used = 0;
        }
    }

    @ForceInline
    private static boolean isMine(long word) {
        return (int) (word >>> 32) == ~Thread.currentThread().autodrome$epoch;
    }

    // Plain fields.

    /** Is this half of a word empty, or an epoch of the same slot? Its thread has seen all that happened there. */
    @ForceInline
    private static boolean isOfSlot(int half, int epoch) {
        return half == 0 || (half ^ epoch) >>> TIME_BITS == 0;
    }

    /** Where in the cache the context of an access stands, if anywhere. */
    @ForceInline
    private static int place(int context, int site, int locks) {
        return ((context * 31 + site) * 31 + locks) * 0x9E3779B1 >>> 32 - CACHE_BITS << 2;
    }

    /** The number of the access's context, if the thread has made such an access before, else 0. */
    @ForceInline
    private static int known(Thread t, int context, int site) {
        int[] cache = t.autodrome$contexts;
        if (cache == null) {
            return 0;
        }
        int locks = t.autodrome$locks, at = place(context, site, locks);
        return cache[at] == context && cache[at + 1] == site && cache[at + 2] == locks ? cache[at + 3] : 0;
    }

    private static void keep(Thread t, int context, int site, int number) {
        int[] cache = t.autodrome$contexts;
        if (cache == null) {
            t.autodrome$contexts = cache = new int[4 << CACHE_BITS];
        }
        int locks = t.autodrome$locks, at = place(context, site, locks);
        cache[at] = context;
        cache[at + 1] = site;
        cache[at + 2] = locks;
        cache[at + 3] = number;
    }

    /** Does this clock of reads know of the thread's epoch, as far as the thread remembers? */
    @ForceInline
    private static boolean isShared(Thread t, long reads, int epoch) {
        long[] shared = t.autodrome$shared;
        int at = (int) (reads >>> 32) * 0x9E3779B1 >>> 32 - SHARED_BITS;
        return shared != null && shared[2 * at] == reads && shared[2 * at + 1] == epoch;
    }

    private static void keepShared(Thread t, long reads, int epoch) {
        long[] shared = t.autodrome$shared;
        if (shared == null) {
            t.autodrome$shared = shared = new long[2 << SHARED_BITS];
        }
        int at = (int) (reads >>> 32) * 0x9E3779B1 >>> 32 - SHARED_BITS;
        shared[2 * at] = reads;
        shared[2 * at + 1] = epoch;
    }

    @DontInline
    private static void readSlow(Object base, long reads, long offsets, int site, int context) {
        Thread t = Thread.currentThread();
        int me = enter(t), epoch = ~t.autodrome$epoch;
        if (epoch == ~0) {
            unwatched();
            return;
        }
        if (reads < 0 && isShared(t, reads, epoch)) {
            return;
        }
        long readsAt = offsets >>> 32, writeAt = offsets & 0xffffffffL;
        for (;;) {
            long write = U.getLongVolatile(base, writeAt);
            int number;
            long next;
            if (isOfSlot((int) (reads >>> 32), epoch) && isOfSlot((int) (write >>> 32), epoch)
                    && (number = known(t, context, site)) != 0) {
                t.autodrome$used = 1;
                t.autodrome$medium++;
                next = (long) epoch << 32 | number & 0xffffffffL;
            } else {
                next = read(me, reads, write, site, context);
                if (next >= 0 && next != reads) {
                    keep(t, context, site, (int) next);
                }
            }
            if (next == reads || U.compareAndSetLong(base, readsAt, reads, next)) {
                long again = U.getLongVolatile(base, writeAt);
                if (again != write) {
                    checkWrite(me, again, site, context);
                }
                if (next != reads) {
                    return;
                }
                // A read that joined a clock of reads counts only if the clock is still this field's.
                next = U.getLongVolatile(base, readsAt);
                if (next == reads) {
                    if (reads < 0) {
                        keepShared(t, reads, epoch);
                    }
                    return;
                }
                reads = next;
            } else {
                discard(next);
                reads = U.getLongVolatile(base, readsAt);
            }
        }
    }

    @DontInline
    private static void writeSlow(Object base, long write, long offsets, int site, int context) {
        Thread t = Thread.currentThread();
        int me = enter(t), epoch = ~t.autodrome$epoch;
        if (epoch == ~0) {
            unwatched();
            return;
        }
        long readsAt = offsets >>> 32, writeAt = offsets & 0xffffffffL;
        for (;;) {
            long reads = U.getLongVolatile(base, readsAt);
            int number;
            long next;
            if (isOfSlot((int) (reads >>> 32), epoch) && isOfSlot((int) (write >>> 32), epoch)
                    && (number = known(t, context, site)) != 0) {
                t.autodrome$used = 1;
                t.autodrome$medium++;
                next = (long) epoch << 32 | number & 0xffffffffL;
            } else {
                next = write(me, reads, write, site, context);
                if (next != write) {
                    keep(t, context, site, (int) next);
                }
            }
            if (next == write) {
                // Nothing new, or a word was out of date.
                if (U.getLongVolatile(base, readsAt) == reads && U.getLongVolatile(base, writeAt) == write) {
                    return;
                }
            } else if (U.compareAndSetLong(base, writeAt, write, next)) {
                lookAtReads(base, reads, readsAt, me, site, context);
                return;
            }
            write = U.getLongVolatile(base, writeAt);
        }
    }

    private static void lookAtReads(Object base, long before, long readsAt, int me, int site, int context) {
        for (;;) {
            long reads = U.getLongVolatile(base, readsAt);
            if (reads >= 0) {
                if (reads != before) {
                    checkReads(me, reads, site, context);
                }
                return;
            }
            if (U.compareAndSetLong(base, readsAt, reads, 0)) {
                retire(me, reads, site, context);
                return;
            }
        }
    }

    @ForceInline
    private static long field(int site) {
        long[] page = FIELDS[site >>> PAGE_BITS];
        return page == null ? UNKNOWN : page[site & (PAGE - 1)];
    }

    /** Where the words of a static field lie; null if this thread does not see it yet. */
    @ForceInline
    private static Object base(int site) {
        Object[] page = BASES[site >>> PAGE_BITS];
        return page == null ? null : page[site & (PAGE - 1)];
    }

    @DontInline
    private static Object baseSlow(int site) {
        synchronized (FIELDS) {
            return BASES[site >>> PAGE_BITS][site & (PAGE - 1)];
        }
    }

    /** Finds out what a site accesses. */
    @DontInline
    private static long resolve(int site, Object receiver) {
        Field[] words = new Field[2];
        int kind = find(site, receiver, words);
        long field;
        if (kind == 0) {
            return UNKNOWN;
        } else if (words[0] == null) {
            field = kind == 2 ? VOLATILE : UNWATCHED;
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
                BASES[page] = new Object[PAGE];
            }
            BASES[page][site & (PAGE - 1)] = base;
        }
    }

    @DontInline
    private static void readFieldSlow(Object o, long reads, int site, int context) {
        long field = field(site);
        if (field == UNKNOWN) {
            field = resolve(site, o);
        }
        if (field > 0) {
            readSlow(o, reads, field, site, context);
        }
    }

    @DontInline
    private static void writeFieldSlow(Object o, long write, int site, int context) {
        long field = field(site);
        if (field == UNKNOWN) {
            field = resolve(site, o);
        }
        if (field > 0) {
            writeSlow(o, write, field, site, context);
        }
    }

    @DontInline
    private static void readStaticSlow(long reads, int site, int context) {
        long field = field(site);
        if (field == UNKNOWN) {
            field = resolve(site, null);
        }
        if (field > 0) {
            readSlow(baseSlow(site), reads, field, site, context);
        }
    }

    @DontInline
    private static void writeStaticSlow(long write, int site, int context) {
        long field = field(site);
        if (field == UNKNOWN) {
            field = resolve(site, null);
        }
        if (field > 0) {
            writeSlow(baseSlow(site), write, field, site, context);
        }
    }

    @ForceInline
    public static void readField(Object o, long reads, int site) {
        if (ON && !isMine(reads)) {
            readFieldSlow(o, reads, site, context());
        }
    }

    @ForceInline
    public static void readField(Object o, long reads, int site, int context) {
        if (ON && !isMine(reads)) {
            readFieldSlow(o, reads, site, context);
        }
    }

    @ForceInline
    public static void writeField(Object o, long write, int site) {
        if (ON && !isMine(write)) {
            writeFieldSlow(o, write, site, context());
        }
    }

    @ForceInline
    public static void writeField(Object o, long write, int site, int context) {
        if (ON && !isMine(write)) {
            writeFieldSlow(o, write, site, context);
        }
    }

    @ForceInline
    public static void readStatic(long reads, int site) {
        if (ON && !isMine(reads)) {
            readStaticSlow(reads, site, context());
        }
    }

    @ForceInline
    public static void readStatic(long reads, int site, int context) {
        if (ON && !isMine(reads)) {
            readStaticSlow(reads, site, context);
        }
    }

    @ForceInline
    public static void writeStatic(long write, int site) {
        if (ON && !isMine(write)) {
            writeStaticSlow(write, site, context());
        }
    }

    @ForceInline
    public static void writeStatic(long write, int site, int context) {
        if (ON && !isMine(write)) {
            writeStaticSlow(write, site, context);
        }
    }

    // Fields of which nothing was known when the class was woven.

    @ForceInline
    public static void readLate(Object o, int site) {
        readLate(o, site, context());
    }

    @ForceInline
    public static void readLate(Object o, int site, int context) {
        if (!ON) {
            return;
        }
        long field = field(site);
        if (field > 0) {
            long reads = U.getLong(o, field >>> 32);
            if (!isMine(reads)) {
                readSlow(o, reads, field, site, context);
            }
        } else if (field != UNWATCHED) {
            readLateSlow(o, site, context);
        }
    }

    @DontInline
    private static void readLateSlow(Object o, int site, int context) {
        long field = field(site);
        if (field == UNKNOWN) {
            field = resolve(site, o);
        }
        if (field > 0) {
            readSlow(o, U.getLongVolatile(o, field >>> 32), field, site, context);
        } else if (field == VOLATILE) {
            readVolatile(o, site);
        }
    }

    @ForceInline
    public static void beforeWriteLate(Object o, int site) {
        long field;
        if (ON && o != null && ((field = field(site)) == VOLATILE || field == UNKNOWN)) {
            beforeWriteLateSlow(o, site);
        }
    }

    @ForceInline
    public static void beforeWriteLate(Object o, int site, int context) {
        beforeWriteLate(o, site);
    }

    @DontInline
    private static void beforeWriteLateSlow(Object o, int site) {
        if (field(site) == VOLATILE || resolve(site, o) == VOLATILE) {
            writeVolatile(o, site);
        }
    }

    @ForceInline
    public static void afterWriteLate(Object o, int site) {
        afterWriteLate(o, site, context());
    }

    @ForceInline
    public static void afterWriteLate(Object o, int site, int context) {
        long field;
        if (ON && (field = field(site)) > 0) {
            long write = U.getLong(o, field & 0xffffffffL);
            if (!isMine(write)) {
                writeSlow(o, write, field, site, context);
            }
        }
    }

    @ForceInline
    public static void readLateStatic(int site) {
        readLateStatic(site, context());
    }

    @ForceInline
    public static void readLateStatic(int site, int context) {
        if (!ON) {
            return;
        }
        long field = field(site);
        needsClassOf(site, field);
        Object base;
        if (field > 0 && (base = base(site)) != null) {
            long reads = U.getLong(base, field >>> 32);
            if (!isMine(reads)) {
                readSlow(base, reads, field, site, context);
            }
        } else if (field != UNWATCHED) {
            readLateStaticSlow(site, context);
        }
    }

    @DontInline
    private static void readLateStaticSlow(int site, int context) {
        long field = field(site);
        if (field == UNKNOWN) {
            field = resolve(site, null);
        }
        // Another thread may have found the field since this one looked, so this one still needs its class.
        needsClassOf(site, field);
        if (field > 0) {
            Object base = baseSlow(site);
            readSlow(base, U.getLongVolatile(base, field >>> 32), field, site, context);
        } else if (field == VOLATILE) {
            readVolatileStatic(site);
        }
    }

    @ForceInline
    public static void beforeWriteLateStatic(int site) {
        long field;
        if (ON && ((field = field(site)) == VOLATILE || field == UNKNOWN)) {
            beforeWriteLateStaticSlow(site);
        }
    }

    @ForceInline
    public static void beforeWriteLateStatic(int site, int context) {
        beforeWriteLateStatic(site);
    }

    @DontInline
    private static void beforeWriteLateStaticSlow(int site) {
        if (field(site) == VOLATILE || resolve(site, null) == VOLATILE) {
            writeVolatileStatic(site);
        }
    }

    @ForceInline
    public static void afterWriteLateStatic(int site) {
        afterWriteLateStatic(site, context());
    }

    @ForceInline
    public static void afterWriteLateStatic(int site, int context) {
        if (!ON) {
            return;
        }
        long field = field(site);
        needsClassOf(site, field);
        Object base;
        if (field > 0 && (base = base(site)) != null) {
            long write = U.getLong(base, field & 0xffffffffL);
            if (!isMine(write)) {
                writeSlow(base, write, field, site, context);
            }
        } else if (field > 0 || field == UNKNOWN) {
            afterWriteLateStaticSlow(site, context);
        }
    }

    /** Nothing was known before the write if the write itself initialized the class. */
    @DontInline
    private static void afterWriteLateStaticSlow(int site, int context) {
        long field = field(site);
        if (field == UNKNOWN) {
            field = resolve(site, null);
        }
        needsClassOf(site, field);
        if (field > 0) {
            Object base = baseSlow(site);
            writeSlow(base, U.getLongVolatile(base, field & 0xffffffffL), field, site, context);
        } else if (field == VOLATILE) {
            writeVolatileStatic(site);
        }
    }

    // Static initializers.

    @ForceInline
    private static void needsClassOf(int site, long field) {
        if (field != UNKNOWN) {
            int[] page = CLASSES[site >>> PAGE_BITS];
            int type = page == null ? 0 : page[site & (PAGE - 1)];
            if (type == 0) {
                type = resolveClass(site);
            }
            if (type > 0) {
                needs(type);
            }
        }
    }

    @DontInline
    private static int resolveClass(int site) {
        int type = classOf(site);
        putClass(site, type == 0 ? -1 : type);
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

    /** All that the class's initializer did comes before what the thread does next: to be told once per thread. */
    @ForceInline
    private static void needs(int type) {
        long[] known = Thread.currentThread().autodrome$initialized;
        if (known == null || type >>> 6 >= known.length || (known[type >>> 6] >>> type & 1) == 0) {
            needsSlow(type);
        }
    }

    @DontInline
    private static void needsSlow(int type) {
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
        receiveInitializer(enter(t), type);
    }

    @ForceInline
    public static void useClass(Object type, int site) {
        if (ON) {
            int[] page = CLASSES[site >>> PAGE_BITS];
            int number = page == null ? 0 : page[site & (PAGE - 1)];
            needs(number != 0 ? number : resolveUse(type, site));
        }
    }

    @ForceInline
    public static void useClass(Object type, int site, int context) {
        useClass(type, site);
    }

    @DontInline
    private static int resolveUse(Object type, int site) {
        int number = numberOf(type);
        putClass(site, number);
        return number;
    }

    public static void exitInitializer(Object type, int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            tick(t, sendInitializer(enter(t), numberOf(type), t.autodrome$used));
        }
    }

    public static void exitInitializer(Object type, int site, int context) {
        exitInitializer(type, site);
    }

    // Volatile fields.

    public static void readVolatile(Object o, int site) {
        if (ON) {
            receive(enter(Thread.currentThread()), o, site);
        }
    }

    public static void readVolatile(Object o, int site, int context) {
        readVolatile(o, site);
    }

    public static void writeVolatile(Object o, int site) {
        if (ON && o != null) {
            Thread t = Thread.currentThread();
            tick(t, send(enter(t), o, site, t.autodrome$used));
        }
    }

    public static void writeVolatile(Object o, int site, int context) {
        writeVolatile(o, site);
    }

    public static void readVolatileStatic(int site) {
        if (ON) {
            receive(enter(Thread.currentThread()), null, site);
        }
    }

    public static void readVolatileStatic(int site, int context) {
        readVolatileStatic(site);
    }

    public static void writeVolatileStatic(int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            tick(t, send(enter(t), null, site, t.autodrome$used));
        }
    }

    public static void writeVolatileStatic(int site, int context) {
        writeVolatileStatic(site);
    }

    // Monitors.

    @ForceInline
    public static void beforeMonitor(int site) {
        if (ON) {
            findRoom();
        }
    }

    @ForceInline
    public static void beforeMonitor(int site, int context) {
        beforeMonitor(site);
    }

    /**
     * Overflows the stack if one of the hooks below might, which have no room for that: see crates/weave, monitors.rs.
     * The variables make a frame of more than a page, because compiled code checks for smaller ones as if they were empty;
     * and it checks only because of the call.
     */
    @DontInline
    private static void findRoom() {
        long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19;
        long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19;
        long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19;
        long d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19;
        long e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13, e14, e15, e16, e17, e18, e19;
        long f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19;
        long g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15, g16, g17, g18, g19;
        long h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, h10, h11, h12, h13, h14, h15, h16, h17, h18, h19;
        long i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15, i16, i17, i18, i19;
        long j0, j1, j2, j3, j4, j5, j6, j7, j8, j9, j10, j11, j12, j13, j14, j15, j16, j17, j18, j19;
        long k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15, k16, k17, k18, k19;
        long l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11, l12, l13, l14, l15, l16, l17, l18, l19;
        long m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19;
        long n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12, n13, n14, n15, n16, n17, n18, n19;
        long o0, o1, o2, o3, o4, o5, o6, o7, o8, o9, o10, o11, o12, o13, o14, o15, o16, o17, o18, o19;
        long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19;
        atTheEnd();
    }

    @DontInline
    private static void atTheEnd() {}

    public static void enterMonitor(Object o, int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            t.autodrome$locks = acquire(enter(t), o, site);
        }
    }

    public static void enterMonitor(Object o, int site, int context) {
        enterMonitor(o, site);
    }

    public static void exitMonitor(Object o, int site) {
        if (ON && o != null) {
            Thread t = Thread.currentThread();
            long left = release(enter(t), o, t.autodrome$used);
            t.autodrome$locks = (int) (left >>> 32);
            tick(t, (int) left);
        }
    }

    public static void exitMonitor(Object o, int site, int context) {
        exitMonitor(o, site);
    }

    public static void enterMethod(Object o, int site) {
        enterMonitor(o, site);
    }

    public static void enterMethod(Object o, int site, int context) {
        enterMonitor(o, site);
    }

    public static void exitMethod(Object o, int site) {
        exitMonitor(o, site);
    }

    public static void exitMethod(Object o, int site, int context) {
        exitMonitor(o, site);
    }

    /** The epoch becomes 0: whichever hook is next, after an interrupt too, goes through enter() and so wakes up. */
    public static void beforeWait(Object o, int site) {
        if (ON && o != null) {
            Thread t = Thread.currentThread();
            waits(enter(t), o, t.autodrome$used);
            tick(t, 0);
        }
    }

    public static void beforeWait(Object o, int site, int context) {
        beforeWait(o, site);
    }

    public static void afterWait(Object o, int site) {
        if (ON) {
            enter(Thread.currentThread());
        }
    }

    public static void afterWait(Object o, int site, int context) {
        afterWait(o, site);
    }

    /** A notification makes no order that the monitor does not make. */
    public static void beforeNotify(Object o, int site) {}

    public static void beforeNotify(Object o, int site, int context) {}

    // Calls of Thread's methods.

    public static void beforeStart(Object o, int site) {
        if (ON && o instanceof Thread) {
            Thread t = Thread.currentThread(), child = (Thread) o;
            int me = enter(t), known = child.autodrome$id;
            child.autodrome$id = fork(me, child, known, t.autodrome$used);
            if (known == 0) {
                tick(child, epochOf(child.autodrome$id));
            }
            tick(t, epochOf(me));
        }
    }

    public static void beforeStart(Object o, int site, int context) {
        beforeStart(o, site);
    }

    public static void afterJoin(Object o, int site) {
        if (ON && o instanceof Thread) {
            Thread ended = (Thread) o;
            if (ended.autodrome$id != 0 && !ended.isAlive()) {
                join(enter(Thread.currentThread()), ended.autodrome$id);
            }
        }
    }

    public static void afterJoin(Object o, int site, int context) {
        afterJoin(o, site);
    }

    public static void afterTimedJoin(Object o, boolean ended, int site) {
        if (ended) {
            afterJoin(o, site);
        }
    }

    public static void afterTimedJoin(Object o, boolean ended, int site, int context) {
        afterTimedJoin(o, ended, site);
    }

    public static void afterIsAlive(Object o, boolean alive, int site) {
        if (!alive) {
            afterJoin(o, site);
        }
    }

    public static void afterIsAlive(Object o, boolean alive, int site, int context) {
        afterIsAlive(o, alive, site);
    }

    public static void beforeInterrupt(Object o, int site) {
        if (ON && o instanceof Thread) {
            Thread t = Thread.currentThread(), other = (Thread) o;
            if (other.autodrome$id != 0) {
                tick(t, sendInterrupt(enter(t), other.autodrome$id, t.autodrome$used));
            }
        }
    }

    public static void beforeInterrupt(Object o, int site, int context) {
        beforeInterrupt(o, site);
    }

    public static void afterIsInterrupted(Object o, boolean interrupted, int site) {
        if (ON && interrupted && o instanceof Thread) {
            Thread other = (Thread) o;
            if (other.autodrome$id != 0) {
                receiveInterrupt(enter(Thread.currentThread()), other.autodrome$id);
            }
        }
    }

    public static void afterIsInterrupted(Object o, boolean interrupted, int site, int context) {
        afterIsInterrupted(o, interrupted, site);
    }

    public static void afterInterrupted(boolean interrupted, int site) {
        if (interrupted) {
            throwInterrupt(site);
        }
    }

    public static void afterInterrupted(boolean interrupted, int site, int context) {
        afterInterrupted(interrupted, site);
    }

    public static void throwInterrupt(int site) {
        if (ON) {
            int me = enter(Thread.currentThread());
            receiveInterrupt(me, me);
        }
    }

    public static void throwInterrupt(int site, int context) {
        throwInterrupt(site);
    }

    // Calling-context values.

    @ForceInline
    public static int context() {
        return Thread.currentThread().autodrome$context;
    }

    @ForceInline
    public static void beforeCall(int context, int site) {
        Thread.currentThread().autodrome$context = 3 * context + site;
    }
}
