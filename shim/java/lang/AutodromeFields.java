package java.lang;

import static java.lang.AutodromeThread.*;
import static java.lang.AutodromeWords.*;

import jdk.internal.vm.annotation.ForceInline;

/**
 * The hooks after accesses to plain fields.
 *
 * <p>The fast path compares the epoch in a word with the thread's own: equal means that nothing is new.
 */
public final class AutodromeFields {
    private AutodromeFields() {}

    // A read in the epoch in which the thread wrote says nothing that the write does not say.

    @ForceInline
    public static void readField(Object o, long reads, long write, int site, int context) {
        if (ON && !isMine(reads) && !isMine(write)) {
            readFieldOfOthers(o, reads, site, context);
        }
    }

    @ForceInline
    public static void readStatic(long reads, long write, int site, int context) {
        if (ON && !isMine(reads) && !isMine(write)) {
            readStaticOfOthers(reads, site, context);
        }
    }

    /** In the lockset modes the first word covers reads and writes. */
    @ForceInline
    public static void readField(Object o, long first, int site, int context) {
        if (ON && !isMine(first)) {
            readFieldSlow(o, first, site, context);
        }
    }

    /** In the lockset modes the first word covers reads and writes. */
    @ForceInline
    public static void readStatic(long first, int site, int context) {
        if (ON && !isMine(first)) {
            readStaticSlow(first, site, context);
        }
    }

    @ForceInline
    public static void writeField(Object o, long write, int site, int context) {
        if (ON && !isMine(write)) {
            writeFieldSlow(o, write, site, context);
        }
    }

    @ForceInline
    public static void writeStatic(long write, int site, int context) {
        if (ON && !isMine(write)) {
            writeStaticSlow(write, site, context);
        }
    }

    @ForceInline
    public static long freshWrite(int site, int context) {
        return ON ? fresh(site, context) : 0;
    }
}
