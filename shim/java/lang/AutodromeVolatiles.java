package java.lang;

import static java.lang.AutodromeSites.*;
import static java.lang.AutodromeThread.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/** The hooks of volatile fields: of classes with cells here, of others as late ones (AutodromeLate). */
public final class AutodromeVolatiles {
    private static final Unsafe U = Unsafe.getUnsafe();

    private AutodromeVolatiles() {}

    /** Calls each native method once, as AutodromeStart says. */
    static void link() {
        receive(0, null, 0);
        send(0, null, 0, 0);
    }

    private static native void receive(int me, Object object, int site);

    /** `used` says whether the medium path has used the thread's epoch. */
    private static native int send(int me, Object object, int site, int used);

    @ForceInline
    public static void readVolatile(Object cell, int site) {
        AutodromePasts.acquire(cell);
    }

    /** A read of a volatile field, where it matters through which object a thread learns something. */
    @ForceInline
    public static void readVolatileOf(Object o, Object cell, int site) {
        AutodromePasts.acquire(cell, o);
    }

    @ForceInline
    public static void readVolatileStatic(Object cell, int site) {
        AutodromePasts.acquire(cell);
    }

    @ForceInline
    public static void writeVolatile(Object o, int site) {
        if (ON && o != null) {
            int cell = cell(field(site));
            if (cell != 0) {
                AutodromePasts.release(o, cell);
            } else {
                releaseSlow(o, site);
            }
        }
    }

    @ForceInline
    public static void writeVolatileStatic(Object held, int site) {
        if (ON) {
            Object base = base(site);
            int cell = cell(field(site));
            if (cell != 0 && base != null) {
                AutodromePasts.release(base, cell);
            } else {
                releaseSlow(null, site);
            }
        }
    }

    /** A volatile write at a site of which nothing is known yet, or to a field without a cell. */
    @DontInline
    static void releaseSlow(Object o, int site) {
        Thread t = Thread.currentThread();
        if (t.autodrome$quiet != 0) {
            return;
        }
        long field = field(site);
        if (field == UNKNOWN) {
            field = resolve(site, o);
        }
        if (cell(field) != 0) {
            AutodromePasts.release(o != null ? o : baseOf(site), cell(field));
        } else if (field == VOLATILE || field == UNKNOWN) {
            AutodromeOptimism.give(t);
            tick(t, send(enter(t), o, site, t.autodrome$used));
        }
    }

    /** A volatile read at a site of which nothing was known when it was woven. */
    @DontInline
    static void acquireSlow(Object o, int site, long field) {
        Thread t = Thread.currentThread();
        if (t.autodrome$quiet != 0) {
            return;
        }
        if (cell(field) != 0) {
            AutodromePasts.acquire(U.getReferenceAcquire(o != null ? o : baseOf(site), cell(field)), o);
        } else if (field == VOLATILE) {
            receive(learns(t), o, site);
        }
    }
}
