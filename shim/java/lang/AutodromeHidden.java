package java.lang;

import static java.lang.AutodromeThread.*;

import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Calls of hidden methods in recordings: BarrierPairs, with the objects that the method can reach (Rajagopalan's thesis,
 * section 4.2).
 *
 * <p>A thread is in visible code, or in a hidden method that visible code called: then autodrome$hidden has the site of the
 * method's start, plus one. A method that hidden code calls back restores it where it ends, and is a pair without objects: while
 * it runs the hidden method does nothing. In hidden methods nothing is recorded but the start and the end of threads; unless
 * hidden methods are revealed, which records all of it. If a hidden constructor throws, the next visible method to know of it
 * reports its end.
 *
 * <p>What a method can reach is found by a walk over the fields of its receiver and arguments. It does not go through
 * classes, class loaders and thread groups, which reach everything, nor through what we keep in objects. Either all
 * objects are walked at each call; or each once, and the agent follows the writes that are recorded afterwards.
 */
public final class AutodromeHidden {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Whether objects are walked once: constant. */
    private static final boolean ONCE = AutodromeEngine.ONCE;

    /** Whether what hidden methods do is recorded all the same: constant. */
    private static final boolean REVEALS = AutodromeEngine.REVEALS;

    /** Whether any methods are hidden: constant. Then the objects matter through which threads hand something over. */
    static final boolean HIDES = AutodromeEngine.HIDES;

    private static final long[] NONE = new long[0];

    private AutodromeHidden() {}

    /** Calls each native method once, as AutodromeStart says. */
    static void link() {
        identityOf(null);
        referencesOf(null);
        isWalked(0);
        walked(null, 0, null, 0);
        logBegin(0, 0, null, 0);
        logEnd(0, 0);
        logPast(0, false, 0, null);
    }

    /** The thread hands over the past that a moment names, or learns of it, through an object. */
    static native void logPast(int me, boolean isSent, int moment, Object through);

    /** The number of an object; negative if it has none. */
    static native long identityOf(Object o);

    /** The fields of a class's objects that hold references, also those of the classes that it extends. */
    private static native Field[] referencesOf(Class<?> type);

    /** Is all known that was reachable from an object at some time? */
    private static native boolean isWalked(long identity);

    /** Now it is, for these objects; and these refer to each other, by pairs. */
    private static native void walked(long[] objects, int count, long[] edges, int length);

    /**
     * A hidden method begins; it reaches these objects, or what can be reached from them. Without: a visible one is called back.
     */
    private static native void logBegin(int me, int site, long[] objects, int count);

    private static native void logEnd(int me, int site);

    /** Whether the thread's synchronization is recorded: not inside hidden methods. */
    @ForceInline
    static boolean records(Thread t) {
        return AutodromeRecord.RECORDING && !isHidden(t);
    }

    /** Whether what the thread does now is left out. */
    @ForceInline
    static boolean isHidden(Thread t) {
        return !REVEALS && t.autodrome$hidden != 0;
    }

    public static void reach(Object o, int site) {
        Thread t = Thread.currentThread();
        if (AutodromeRecord.RECORDING && t.autodrome$hidden == 0 && o != null) {
            Object[] arguments = t.autodrome$arguments;
            int count = t.autodrome$argumentCount;
            if (arguments == null || count == arguments.length) {
                arguments = longer(arguments, count);
                t.autodrome$arguments = arguments;
            }
            arguments[count] = o;
            t.autodrome$argumentCount = count + 1;
        }
    }

    public static int enterHidden(int site) {
        Thread t = Thread.currentThread();
        if (!AutodromeRecord.RECORDING || t.autodrome$hidden != 0) {
            return 0;
        }
        t.autodrome$hidden = site + 1;
        begin(t, site);
        return 1;
    }

    public static void exitHidden(int began, int site) {
        if (began != 0) {
            end(Thread.currentThread(), site);
        }
    }

    @ForceInline
    public static int enterVisible(int site) {
        Thread t = Thread.currentThread();
        int hidden = t.autodrome$hidden;
        if (hidden != 0) {
            t.autodrome$hidden = 0;
            beginCallback(t, site);
        }
        return hidden;
    }

    @ForceInline
    public static void exitVisible(int hidden, int site) {
        Thread t = Thread.currentThread();
        if (t.autodrome$hidden != 0) {
            end(t, t.autodrome$hidden - 1);
        }
        if (hidden != 0) {
            endCallback(t, site);
            t.autodrome$hidden = hidden;
        }
    }

    @DontInline
    private static void beginCallback(Thread t, int site) {
        AutodromePasts.repeat(t);
        logBegin(enter(t), site, null, 0);
    }

    @DontInline
    private static void endCallback(Thread t, int site) {
        AutodromePasts.repeat(t);
        logEnd(enter(t), site);
    }

    @ForceInline
    public static void caught(int site) {
        Thread t = Thread.currentThread();
        if (t.autodrome$hidden != 0) {
            end(t, t.autodrome$hidden - 1);
        }
    }

    @DontInline
    private static void begin(Thread t, int site) {
        int me = enter(t);
        Object[] arguments = t.autodrome$arguments;
        int count = t.autodrome$argumentCount;
        t.autodrome$argumentCount = 0;
        long[] roots = new long[count];
        int length = 0;
        t.autodrome$quiet++;
        try {
            Walk walk = null;
            for (int i = 0; i < count; i++) {
                long identity = identityOf(arguments[i]);
                roots[length++] = identity;
                if (!ONCE || !isWalked(identity)) {
                    walk = walk == null ? new Walk() : walk;
                    walk.add(arguments[i], identity);
                }
                arguments[i] = null;
            }
            if (walk != null) {
                walk.go();
                if (ONCE) {
                    walked(walk.identities, walk.count, walk.edges, walk.length);
                } else {
                    roots = walk.identities;
                    length = walk.count;
                }
            }
        } finally {
            // A walk that runs out of memory must not leave the thread unrecorded.
            t.autodrome$quiet--;
        }
        AutodromePasts.repeat(t);
        logBegin(me, site, roots, length);
    }

    /** The hidden method of a site ends. */
    @DontInline
    private static void end(Thread t, int site) {
        t.autodrome$hidden = 0;
        t.autodrome$argumentCount = 0;
        AutodromePasts.repeat(t);
        logEnd(enter(t), site);
    }

    private static Object[] longer(Object[] array, int count) {
        Object[] longer = new Object[2 * count + 4];
        for (int i = 0; i < count; i++) {
            longer[i] = array[i];
        }
        return longer;
    }

    private static long[] longer(long[] array, int count) {
        long[] longer = new long[2 * count + 4];
        for (int i = 0; i < count; i++) {
            longer[i] = array[i];
        }
        return longer;
    }

    /** One walk: the objects found, breadth first, with their numbers. */
    private static final class Walk {
        Object[] objects = new Object[16];
        long[] identities = new long[16];
        int count;
        /** Who refers to whom, by pairs; only if each object is walked once. */
        long[] edges = new long[16];
        int length;
        /** The numbers of the objects found, by hash; no object has the number 0. */
        private long[] found = new long[64];

        void add(Object o, long identity) {
            if (identity <= 0 || !isNew(identity)) {
                return;
            }
            if (count == objects.length) {
                objects = longer(objects, count);
                identities = longer(identities, count);
            }
            objects[count] = o;
            identities[count++] = identity;
        }

        private boolean isNew(long identity) {
            if (2 * count >= found.length) {
                long[] old = found;
                found = new long[2 * old.length];
                for (int i = 0; i < old.length; i++) {
                    if (old[i] != 0) {
                        found[place(old[i])] = old[i];
                    }
                }
            }
            int place = place(identity);
            if (found[place] == identity) {
                return false;
            }
            found[place] = identity;
            return true;
        }

        private int place(long identity) {
            int mask = found.length - 1, place = (int) (identity * 0x9E3779B97F4A7C15L >>> 32) & mask;
            while (found[place] != 0 && found[place] != identity) {
                place = place + 1 & mask;
            }
            return place;
        }

        void go() {
            for (int i = 0; i < count; i++) {
                Object o = objects[i];
                if (isPassed(o)) {
                    continue;
                }
                if (o instanceof Object[]) {
                    int size = ((Object[]) o).length;
                    for (int j = 0; j < size; j++) {
                        follow(i, ((Object[]) o)[j]);
                    }
                } else if (!o.getClass().isArray()) {
                    long[] references = references(o.getClass());
                    for (int j = 0; j < references.length; j++) {
                        follow(i, U.getReference(o, references[j]));
                    }
                }
            }
        }

        private void follow(int from, Object to) {
            if (to == null || isPassed(to)) {
                return;
            }
            long identity = identityOf(to);
            if (ONCE) {
                if (length + 2 > edges.length) {
                    edges = longer(edges, length);
                }
                edges[length++] = identities[from];
                edges[length++] = identity;
                if (isWalked(identity)) {
                    return;
                }
            }
            add(to, identity);
        }
    }

    /** What reaches everything: of these only the monitor counts, where a method gets one or locks its class. */
    private static boolean isPassed(Object o) {
        return o instanceof Class || o instanceof ClassLoader || o instanceof ThreadGroup;
    }

    private static long[] references(Class<?> type) {
        long[] references = type.autodrome$references;
        return references != null ? references : findReferences(type);
    }

    @DontInline
    private static long[] findReferences(Class<?> type) {
        Field[] fields = referencesOf(type);
        long[] references = fields == null ? NONE : new long[fields.length];
        for (int i = 0; i < references.length; i++) {
            references[i] = U.objectFieldOffset(fields[i]);
        }
        // Others may find it without order.
        U.storeFence();
        type.autodrome$references = references;
        return references;
    }
}
