package java.lang;

import static java.lang.AutodromeSites.*;
import static java.lang.AutodromeThread.*;
import static java.lang.AutodromeVolatiles.*;
import static java.lang.AutodromeWords.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/** The hooks around accesses to fields of which nothing was known when the class was woven. */
public final class AutodromeLate {
    private static final Unsafe U = Unsafe.getUnsafe();

    private AutodromeLate() {}

    @ForceInline
    public static void readLate(Object o, int site, int context) {
        if (!ON) {
            return;
        }
        long field = field(site);
        if (field > 0) {
            long reads = U.getLong(o, field >>> 32);
            if (!isMine(reads) && (AutodromeLocksets.LOCKSETS || !isMine(U.getLong(o, field & 0xffffffffL)))) {
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
        } else {
            acquireSlow(o, site, field);
        }
    }

    @ForceInline
    public static void beforeWriteLate(Object o, int site) {
        long field;
        if (ON && o != null && (field = field(site)) <= UNKNOWN && field != UNWATCHED) {
            beforeWriteLateSlow(o, site);
        }
        if (ON && o != null) {
            AutodromeValues.before(o, site);
        }
    }

    @DontInline
    private static void beforeWriteLateSlow(Object o, int site) {
        long field = field(site);
        if ((field == UNKNOWN ? resolve(site, o) : field) <= VOLATILE) {
            releaseSlow(o, site);
        }
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
    public static void readLateStatic(int site, int context) {
        if (!ON) {
            return;
        }
        long field = field(site);
        needsClassOf(site, field);
        Object base;
        if (field > 0 && (base = base(site)) != null) {
            long reads = U.getLong(base, field >>> 32);
            if (!isMine(reads) && (AutodromeLocksets.LOCKSETS || !isMine(U.getLong(base, field & 0xffffffffL)))) {
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
            Object base = baseOf(site);
            readSlow(base, U.getLongVolatile(base, field >>> 32), field, site, context);
        } else {
            acquireSlow(null, site, field);
        }
    }

    @ForceInline
    public static void beforeWriteLateStatic(int site) {
        long field;
        if (ON && (field = field(site)) <= UNKNOWN && field != UNWATCHED) {
            beforeWriteLateStaticSlow(site);
        }
        if (ON) {
            AutodromeValues.before(null, site);
        }
    }

    @DontInline
    private static void beforeWriteLateStaticSlow(int site) {
        long field = field(site);
        if ((field == UNKNOWN ? resolve(site, null) : field) <= VOLATILE) {
            releaseSlow(null, site);
        }
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
            Object base = baseOf(site);
            writeSlow(base, U.getLongVolatile(base, field & 0xffffffffL), field, site, context);
        } else if (field <= VOLATILE) {
            releaseSlow(null, site);
        }
    }
}
