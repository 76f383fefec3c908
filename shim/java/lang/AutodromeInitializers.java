package java.lang;

import static java.lang.AutodromeLayout.*;
import static java.lang.AutodromeRecord.*;
import static java.lang.AutodromeSites.*;
import static java.lang.AutodromeThread.*;

import jdk.internal.vm.annotation.ForceInline;

/** The hooks of static initializers: whoever uses a class comes after its initializer. */
public final class AutodromeInitializers {
    private AutodromeInitializers() {}

    /** Calls each native method once, as AutodromeStart says. */
    static void link() {
        send(0, 0, 0);
    }

    /** The initializer of a class has run; `used` says whether the medium path has used the thread's epoch. */
    private static native int send(int me, int type, int used);

    @ForceInline
    public static void useClass(Object type, int site) {
        if (ON) {
            needs(type, site);
        }
    }

    public static void enterInitializer(Object type, int site) {
        if (ON) {
            needsSupers(type, site);
        }
    }

    public static void exitInitializer(Object type, int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            AutodromeOptimism.give(t);
            int me = enter(t), number = numberOf(type);
            if (RECORDING) {
                logMessage(me, SEND_INITIALIZER, number, site);
            }
            tick(t, send(me, number, t.autodrome$used));
        }
    }

    /** The JVM may have called the initializer for something that is quiet. */
    public static void initializerFails(int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            int quiet = t.autodrome$quiet;
            t.autodrome$quiet = 0;
            AutodromeLinking.release(NoClassDefFoundError.class);
            t.autodrome$quiet = quiet;
        }
    }

    /** The class may be initialized, and no instruction says that it is used. */
    public static void seeInitialized(Object type, int site) {
        if (ON && type instanceof Class) {
            comesAfter((Class<?>) type, site);
        }
    }

    public static void seeInitializedResult(Object asked, Object type, int site) {
        seeInitialized(type, site);
    }

    public static void seeInitializedOf(Object asked, Object made, int site) {
        if (ON && made != null) {
            comesAfter(made.getClass(), site);
        }
    }

    public static void seeFailure(int site) {
        if (ON) {
            Thread t = Thread.currentThread();
            int quiet = t.autodrome$quiet;
            t.autodrome$quiet = 0;
            AutodromeLinking.acquire(NoClassDefFoundError.class);
            t.autodrome$quiet = quiet;
        }
    }
}
