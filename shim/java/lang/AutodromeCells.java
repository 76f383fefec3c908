package java.lang;

import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The cells of places that are known by object and offset: fields that Unsafe accesses, elements, monitors.
 *
 * <p>A volatile field of a woven class has its cell beside it, in the object: the class knows where. All else has its cell
 * in a table by the object's number (AutodromeArrays), which is found again as long as the object lives. A number
 * is given again when its object is gone; the stamp of its shadow distinguishes the objects.
 */
final class AutodromeCells {
    private static final Unsafe U = Unsafe.getUnsafe();

    /**
     * Places of four bytes each share a cell, so elements of a short[] are not distinguished. Of a byte[] eight do:
     * buffers and segments access it in all widths.
     */
    private static final int PLACE_BITS = 2, BYTES_PLACE_BITS = 3, CHUNK_BITS = 5, CHUNK = 1 << CHUNK_BITS;

    private static final int PAGE_BITS = 12, PAGE = 1 << PAGE_BITS, PAGES = 1 << 14;

    /** Unsafe gives them as int or as long, by version; so native code asks. */
    private static final long BASE = arrayBase(), SCALE = U.arrayIndexScale(Object[].class);

    private static final long MONITOR = U.objectFieldOffset(Numbered.class, "monitor");

    /** By number of an object: its cells. */
    private static final Numbered[][] NUMBERED = new Numbered[PAGES][];

    /** For each new entry so many others are looked at, whether their objects are gone. */
    private static final int SWEPT = 4;

    /** The number that was looked at last, and one more than the largest. */
    private static int lastSwept, numbers;

    /** The cells of one object. */
    static final class Numbered {
        final long stamp;

        /** What the last owner of the object's monitor handed on. */
        int[] monitor;

        volatile Object[][] chunks = new Object[1][];

        Numbered(long stamp) {
            this.stamp = stamp;
        }
    }

    private AutodromeCells() {}

    static void link() {
        cellsOf(null, false);
    }

    /** Where the elements of an Object[] start. */
    private static native long arrayBase();

    /** The fields of a class that have cells, instance or static ones: pairs of the field and its cell. */
    private static native Field[] cellsOf(Class<?> type, boolean statics);

    /** Where the cell of a field lies: its offset in the same object; 0 if the field has none. */
    @ForceInline
    private static int inObject(Object o, long offset) {
        int[] cells;
        if (o instanceof Class) {
            // Whoever gets at a static field this way has seen that its class is initialized.
            AutodromeSites.needs((Class<?>) o);
            cells = ((Class<?>) o).autodrome$statics;
        } else {
            cells = o.getClass().autodrome$cells;
        }
        if (cells == null) {
            cells = find(o);
        }
        return offset < cells.length ? cells[(int) offset] : 0;
    }

    @DontInline
    private static int[] find(Object o) {
        Thread t = Thread.currentThread();
        t.autodrome$quiet++;
        boolean statics = o instanceof Class;
        Class<?> type = statics ? (Class<?>) o : o.getClass();
        Field[] pairs = cellsOf(type, statics);
        long last = -1;
        for (int i = 0; pairs != null && i < pairs.length; i += 2) {
            last = Math.max(last, offset(pairs[i], statics));
        }
        int[] cells = new int[(int) last + 1];
        for (int i = 0; pairs != null && i < pairs.length; i += 2) {
            cells[(int) offset(pairs[i], statics)] = (int) offset(pairs[i + 1], statics);
        }
        if (statics) {
            type.autodrome$statics = cells;
        } else {
            type.autodrome$cells = cells;
        }
        t.autodrome$quiet--;
        return cells;
    }

    private static long offset(Field field, boolean statics) {
        return statics ? U.staticFieldOffset(field) : U.objectFieldOffset(field);
    }

    @ForceInline
    static void acquire(Object o, long offset) {
        if (o == null) {
            AutodromeMemory.acquire(offset);
            return;
        }
        boolean isArray = o.getClass().isArray();
        int cell = isArray ? 0 : inObject(o, offset);
        if (cell != 0) {
            AutodromePasts.acquire(U.getReferenceAcquire(o, cell), o);
        } else {
            AutodromePasts.acquire(get(o, offset), o);
            if (!isArray) {
                AutodromeFences.acquireFenced(o);
            }
        }
    }

    @ForceInline
    static void release(Object o, long offset) {
        if (o == null) {
            AutodromeMemory.release(offset);
        } else if (Thread.currentThread().autodrome$quiet == 0) {
            boolean isArray = o.getClass().isArray();
            int cell = isArray ? 0 : inObject(o, offset);
            if (cell != 0) {
                AutodromePasts.release(o, cell);
            } else {
                int place = place(o, offset);
                AutodromePasts.release(chunk(o, place), at(place), o);
                AutodromeThread.keepAlive(o);
                if (!isArray) {
                    AutodromeFences.releaseToAll();
                }
            }
        }
    }

    /** A read without order was made: a fence may follow. */
    @ForceInline
    static void readRelaxed(Object o, long offset) {
        if (AutodromeFences.isKeeping()) {
            Object held = held(o, offset);
            if (held != null) {
                AutodromePasts.keep(held);
            }
        }
    }

    /** What the cell of any place holds. */
    private static Object held(Object o, long offset) {
        if (o == null) {
            return AutodromeMemory.get(offset);
        }
        int cell = o.getClass().isArray() ? 0 : inObject(o, offset);
        return cell != 0 ? U.getReferenceAcquire(o, cell) : get(o, offset);
    }

    /** A write without order will be made: a fence may have come before. */
    @ForceInline
    static void writeRelaxed(Object o, long offset) {
        Thread t = Thread.currentThread();
        if (t.autodrome$fence != null && t.autodrome$quiet == 0) {
            releaseFence(t, o, offset);
        }
    }

    @DontInline
    private static void releaseFence(Thread t, Object o, long offset) {
        if (o == null) {
            AutodromePasts.releaseFence(t, AutodromeMemory.cells(offset), AutodromeMemory.at(offset));
            return;
        }
        int cell = o.getClass().isArray() ? 0 : inObject(o, offset);
        if (cell != 0) {
            AutodromePasts.releaseFence(t, o, cell);
        } else {
            int place = place(o, offset);
            AutodromePasts.releaseFence(t, chunk(o, place), at(place));
            AutodromeThread.keepAlive(o);
        }
    }

    /** The thread acquires all cells of a numbered object. */
    static void acquireAll(Object o) {
        int number = AutodromeNumbers.number(o);
        if (!AutodromeNumbers.isNumber(number)) {
            number = Thread.currentThread().autodrome$quiet == 0 ? AutodromeNumbers.known(o) : 0;
            if (number == 0) {
                for (int i = 0; lost && i < CHUNK; i++) {
                    AutodromePasts.acquire(U.getReferenceAcquire(LOST, at(i)), o);
                }
                return;
            }
        }
        Numbered numbered = numbered(number);
        Object[][] chunks = numbered == null ? null : numbered.chunks;
        for (int i = 0; chunks != null && i < chunks.length; i++) {
            for (int j = 0; chunks[i] != null && j < CHUNK; j++) {
                AutodromePasts.acquire(U.getReferenceAcquire(chunks[i], at(j)), o);
            }
        }
        AutodromeThread.keepAlive(o);
    }

    /** A plain read through Unsafe. Of a field with a cell it synchronizes: see crates/agent, jdk.rs, about relaxed fields. */
    @ForceInline
    static void readPlain(Object o, long offset) {
        if (isCelled(o, offset)) {
            acquire(o, offset);
        } else {
            AutodromeAccesses.read(o, offset);
            readRelaxed(o, offset);
        }
    }

    /** A plain write through Unsafe will be made. */
    @ForceInline
    static void releasePlain(Object o, long offset) {
        if (isCelled(o, offset)) {
            release(o, offset);
        } else {
            writeRelaxed(o, offset);
        }
    }

    /** A plain write through Unsafe was made. */
    @ForceInline
    static void writePlain(Object o, long offset) {
        if (!isCelled(o, offset)) {
            AutodromeAccesses.write(o, offset);
        }
    }

    /** An atomic read was made, or a compare-and-set that failed. */
    @ForceInline
    static void readAtomic(Object o, long offset) {
        if (o != null && !isCelled(o, offset)) {
            AutodromeAccesses.readAtomic(o, offset);
        }
    }

    /** An atomic write will be made. */
    @ForceInline
    static void writeAtomic(Object o, long offset) {
        if (o != null && !isCelled(o, offset)) {
            AutodromeAccesses.writeAtomic(o, offset);
        }
    }

    /** The cells of an object whose monitor the current thread has. */
    @ForceInline
    static Object ofMonitor(Object o) {
        int number = AutodromeNumbers.numberOfHeld(o);
        Numbered numbered = AutodromeNumbers.isNumber(number) ? numbered(number) : null;
        return numbered != null ? numbered : ofMonitorSlow(o, number);
    }

    @DontInline
    private static Object ofMonitorSlow(Object o, int number) {
        if (!AutodromeNumbers.isNumber(number)) {
            number = AutodromeNumbers.registerHeld(o);
            if (number == 0) {
                return LOST_MONITORS;
            }
        }
        Numbered numbered = numbered(number);
        return numbered != null ? numbered : add(number);
    }

    @ForceInline
    static void acquireMonitor(Object cells) {
        AutodromePasts.acquireMonitor(U.getReferenceAcquire(cells, MONITOR));
    }

    @ForceInline
    static void releaseMonitor(Object cells) {
        AutodromePasts.releaseMonitor(cells, MONITOR);
    }

    /** Has the field its cell in the object? */
    @ForceInline
    private static boolean isCelled(Object o, long offset) {
        return o != null && !o.getClass().isArray() && inObject(o, offset) != 0;
    }

    /** Where an element of an Object[] lies. */
    @ForceInline
    static long offset(int index) {
        return BASE + index * SCALE;
    }

    @ForceInline
    private static int place(Object o, long offset) {
        return (int) (offset >>> (o instanceof byte[] ? BYTES_PLACE_BITS : PLACE_BITS));
    }

    @ForceInline
    private static long at(int place) {
        return BASE + (place & CHUNK - 1) * SCALE;
    }

    /** What the cell of a numbered object's place holds; null if nobody ever released it. */
    static Object get(Object o, long offset) {
        int number = AutodromeNumbers.number(o);
        if (!AutodromeNumbers.isNumber(number)) {
            if (!AutodromeThread.learnsNow(Thread.currentThread())) {
                return null;
            }
            number = AutodromeNumbers.known(o);
            if (number == 0) {
                return lost ? U.getReferenceAcquire(LOST, at(place(o, offset))) : null;
            }
        }
        Numbered numbered = numbered(number);
        if (numbered == null) {
            return null;
        }
        int place = place(o, offset);
        Object[][] chunks = numbered.chunks;
        Object[] chunk = place >>> CHUNK_BITS < chunks.length ? chunks[place >>> CHUNK_BITS] : null;
        Object cell = chunk == null ? null : U.getReferenceAcquire(chunk, at(place));
        AutodromeThread.keepAlive(o);
        return cell;
    }

    /** The chunk that has the cell of a numbered object's place. */
    private static Object[] chunk(Object o, int place) {
        int number = AutodromeNumbers.number(o);
        if (!AutodromeNumbers.isNumber(number)) {
            number = AutodromeNumbers.register(o);
            if (number == 0) {
                lost = true;
                return LOST;
            }
        }
        Numbered numbered = numbered(number);
        if (numbered == null) {
            numbered = add(number);
        }
        Object[][] chunks = numbered.chunks;
        int index = place >>> CHUNK_BITS;
        Object[] chunk = index < chunks.length ? chunks[index] : null;
        return chunk != null ? chunk : addChunk(numbered, index);
    }

    /** For objects that get no number because there is no memory: they share cells, which makes too much order. */
    private static final Object[] LOST = new Object[CHUNK];
    private static volatile boolean lost;
    private static final Numbered LOST_MONITORS = new Numbered(0);

    /** The cells of the object that has this number now, if it has any. */
    @ForceInline
    private static Numbered numbered(int number) {
        Numbered[] page = (Numbered[]) U.getReferenceAcquire(NUMBERED, BASE + (number >>> PAGE_BITS) * SCALE);
        if (page == null) {
            return null;
        }
        Numbered numbered = (Numbered) U.getReferenceAcquire(page, BASE + (number & PAGE - 1) * SCALE);
        return numbered != null && numbered.stamp == AutodromeArrays.stamp(number) ? numbered : null;
    }

    /** Holds itself while a thread is in a section of the shim. */
    private static final Object[] SECTION = new Object[1];

    /**
     * Begins a short section that no other thread is in; it blocks on nothing. Not a monitor: the JVM may hand a monitor over to a
     * virtual thread that has no carrier, while all carriers wait for that monitor in hooks of their own.
     */
    static void begin() {
        while (!U.compareAndSetReference(SECTION, BASE, null, SECTION)) {
            Thread.onSpinWait();
        }
    }

    static void end() {
        U.putReferenceRelease(SECTION, BASE, null);
    }

    @DontInline
    private static Numbered add(int number) {
        begin();
        try {
            Numbered[] page = NUMBERED[number >>> PAGE_BITS];
            if (page == null) {
                page = new Numbered[PAGE];
                U.putReferenceRelease(NUMBERED, BASE + (number >>> PAGE_BITS) * SCALE, page);
            }
            long stamp = AutodromeArrays.stamp(number);
            Numbered numbered = page[number & PAGE - 1];
            if (numbered == null || numbered.stamp != stamp) {
                numbered = new Numbered(stamp);
                U.putReferenceRelease(page, BASE + (number & PAGE - 1) * SCALE, numbered);
                numbers = Math.max(numbers, number + 1);
                sweep();
            }
            return numbered;
        } finally {
            end();
        }
    }

    /** What was handed on through objects that are gone is of use to nobody, and may be much. In a section. */
    private static void sweep() {
        for (int i = 0; i < SWEPT; i++) {
            int number = lastSwept = lastSwept + 1 < numbers ? lastSwept + 1 : 0;
            Numbered[] page = NUMBERED[number >>> PAGE_BITS];
            Numbered numbered = page == null ? null : page[number & PAGE - 1];
            if (numbered != null && !AutodromeArrays.isStamp(number, numbered.stamp)) {
                page[number & PAGE - 1] = null;
            }
        }
    }

    @DontInline
    private static Object[] addChunk(Numbered numbered, int index) {
        begin();
        try {
            Object[][] chunks = numbered.chunks;
            if (index >= chunks.length) {
                Object[][] longer = new Object[Math.max(index + 1, 2 * chunks.length)][];
                for (int i = 0; i < chunks.length; i++) {
                    longer[i] = chunks[i];
                }
                chunks = longer;
            }
            if (chunks[index] == null) {
                chunks[index] = new Object[CHUNK];
            }
            Object[] chunk = chunks[index];
            // Volatile: whoever finds the chunk finds it empty or with what was released.
            numbered.chunks = chunks;
            return chunk;
        } finally {
            end();
        }
    }
}
