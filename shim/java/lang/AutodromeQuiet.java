package java.lang;

import static java.lang.AutodromeThread.*;

import jdk.internal.vm.annotation.ForceInline;

/** The hooks of quiet methods, whose synchronization is not seen, and of look-ups, which learn but hand nothing on. */
public final class AutodromeQuiet {
    private AutodromeQuiet() {}

    @ForceInline
    public static void enterQuiet(int site) {
        Thread.currentThread().autodrome$quiet++;
    }

    @ForceInline
    public static void exitQuiet(int site) {
        Thread t = Thread.currentThread();
        // Hooks may have been switched on in between.
        if (!learnsNow(t)) {
            t.autodrome$quiet--;
        }
    }

    /** Until the call ends, the thread is quiet as far as it hands something on. */
    @ForceInline
    public static void beginLookUp(int site) {
        Thread.currentThread().autodrome$quiet += LOOK_UP;
    }

    @ForceInline
    public static void endLookUp(int site) {
        Thread t = Thread.currentThread();
        // Hooks may have been switched on in between.
        if (t.autodrome$quiet >= LOOK_UP) {
            t.autodrome$quiet -= LOOK_UP;
        }
    }
}
