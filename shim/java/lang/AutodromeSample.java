package java.lang;

import static java.lang.AutodromeLayout.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The hooks of sampling (crates/weave, passes/sample.rs): before each synchronization that hands something on, and after the
 * accesses of sampled places. A thread has a clock from its first sampled access on; before that nobody looks at it.
 */
public final class AutodromeSample {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Where the flags are (crates/runtime, layout). */
    private static final long FLAGS = flags();

    /** Where the places are. */
    private static final long PLACES = places();

    private AutodromeSample() {}

    /** Calls each native method once, see AutodromeStart. */
    static void link() {
        attach(null);
        clock(0);
        sample(0, null, 0, 0, 0);
        look(0, null, 0, 0);
    }

    private static native long flags();

    private static native long places();

    /** Gives the current thread a number. */
    private static native int attach(Thread thread);

    /** Where the clock of the current thread is; 0 if there is no room for it. */
    private static native long clock(int me);

    /** Watches what was accessed, if it may be watched. */
    private static native void sample(int me, Object object, int index, int site, long clock);

    /** Looks whether what was accessed is watched for another thread. */
    private static native void look(int me, Object object, int index, int site);

    @ForceInline
    public static void tick() {
        advance(Thread.currentThread().autodrome$ticks);
    }

    /** Another thread than the current one ends or is suspended: it takes no step meanwhile. */
    public static void tickOf(Object thread) {
        if (thread instanceof Thread) {
            advance(((Thread) thread).autodrome$ticks);
        }
    }

    @ForceInline
    private static void advance(long clock) {
        if (clock != 0) {
            U.putLong(clock, U.getLong(clock) + 1);
        }
    }

    @ForceInline
    public static void tickLate(Object object, int site) {
        if (object != null && AutodromeSites.field(site) != AutodromeSites.UNWATCHED) {
            tickLateSlow(object, site);
        }
    }

    @ForceInline
    public static void tickLateStatic(int site) {
        if (AutodromeSites.field(site) != AutodromeSites.UNWATCHED) {
            tickLateSlow(null, site);
        }
    }

    /** A field of which nothing is known yet may be volatile. */
    @DontInline
    private static void tickLateSlow(Object object, int site) {
        long field = AutodromeSites.field(site);
        if (field == AutodromeSites.UNKNOWN) {
            field = AutodromeSites.resolve(site, object);
        }
        if (field != AutodromeSites.UNWATCHED) {
            tick();
        }
    }

    @ForceInline
    public static void sampleField(Object object, int site) {
        access(object, -1, site);
    }

    @ForceInline
    public static void sampleElement(Object array, int index, int site) {
        access(array, index, site);
    }

    @ForceInline
    public static void lookAtField(Object object, int site) {
        if (site < SAMPLE_PLACES && U.getLongOpaque(null, FLAGS + SAMPLE_WATCHED) != 0) {
            lookSlow(object, -1, site);
        }
    }

    @ForceInline
    public static void lookAtElement(Object array, int index, int site) {
        if (site < SAMPLE_PLACES && U.getLongOpaque(null, FLAGS + SAMPLE_WATCHED) != 0) {
            lookSlow(array, index, site);
        }
    }

    @ForceInline
    private static void access(Object object, int index, int site) {
        if (site >= SAMPLE_PLACES) {
            return;
        }
        if (U.getLongOpaque(null, FLAGS + SAMPLE_WATCHED) != 0) {
            lookSlow(object, index, site);
        }
        if (U.getLongOpaque(null, FLAGS + SAMPLE_HAS_ROOM) != 0 && U.getLongOpaque(null, place(site) + SAMPLE_PLACE_RESTS) == 0) {
            sampleSlow(object, index, site);
        }
    }

    @ForceInline
    private static long place(int site) {
        return PLACES + ((long) site << SAMPLE_PLACE_BITS);
    }

    @DontInline
    private static void lookSlow(Object object, int index, int site) {
        long key = U.getLong(place(site) + SAMPLE_PLACE_KEY);
        for (int slot = 0; slot < SAMPLE_SLOTS; slot++) {
            if (U.getLong(FLAGS + SAMPLE_KEYS + 8 * slot) == key) {
                Thread t = Thread.currentThread();
                look(id(t), object, index, site);
                return;
            }
        }
    }

    @DontInline
    private static void sampleSlow(Object object, int index, int site) {
        Thread t = Thread.currentThread();
        int me = id(t);
        if (t.autodrome$ticks == 0) {
            t.autodrome$ticks = clock(me);
        }
        if (t.autodrome$ticks != 0) {
            sample(me, object, index, site, t.autodrome$ticks);
        }
    }

    private static int id(Thread t) {
        if (t.autodrome$id == 0) {
            t.autodrome$id = attach(t);
        }
        return t.autodrome$id;
    }
}
