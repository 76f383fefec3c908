package java.lang;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What the shim keeps in a thread: its number, and the epoch of its next step.
 *
 * <p>The epoch is kept as its complement, so that the 0 of a thread that no hook has seen yet, and of one that waits, equals
 * no word.
 */
final class AutodromeThread {
    /** Whether hooks do anything: constant, so that the compiler removes them if not. */
    static final boolean ON = AutodromeEngine.ON;

    /** Whether they look for races, and do not only record: constant. */
    static final boolean DETECTS = AutodromeEngine.DETECTS;

    /**
     * What a look-up adds to a thread's count of quiet methods: then it hands nothing on, but learns unless a method is quiet too.
     */
    static final int LOOK_UP = 1 << 16;

    private AutodromeThread() {}

    /** Calls each native method once, see AutodromeStart. */
    static void link() {
        attach(null);
        resume(0, false);
        clock(0);
    }

    /** Gives the current thread a number and an epoch. */
    private static native int attach(Thread thread);

    /** The thread goes on, after a wait or not; its epoch, or 0 if it is not watched. */
    private static native int resume(int me, boolean waited);

    /** Where the clock of a thread lies. */
    static native long clock(int me);

    /** Does the thread learn from what it reads now? */
    @ForceInline
    static boolean learnsNow(Thread t) {
        return (t.autodrome$quiet & LOOK_UP - 1) == 0;
    }

    /**
     * Whether what the thread accesses now is the JDK's own: it is in a quiet method, which runs none of the program's code and
     * hands none of its objects over.
     */
    @ForceInline
    static boolean isPrivate(Thread t) {
        return !learnsNow(t);
    }

    /** The number of the current thread, which is watched from here on. */
    @ForceInline
    static int enter(Thread t) {
        return t.autodrome$epoch != 0 ? t.autodrome$id : enterSlow(t);
    }

    /** The number of the current thread, which is about to learn of others. */
    static int learns(Thread t) {
        AutodromeOptimism.learn(t);
        AutodromeRuns.end(t);
        t.autodrome$past = null;
        return enter(t);
    }

    @DontInline
    private static int enterSlow(Thread t) {
        if (t.autodrome$id == 0) {
            t.autodrome$id = attach(t);
            t.autodrome$clock = clock(t.autodrome$id);
        }
        t.autodrome$past = null;
        Object waits = t.autodrome$waits;
        t.autodrome$waits = null;
        tick(t, resume(t.autodrome$id, waits != null));
        if (waits != null) {
            // Whoever goes on after a wait has the monitor again.
            AutodromeCells.acquireMonitor(waits);
        }
        if (t.autodrome$links != null) {
            AutodromeLinking.linked(t);
        }
        if (AutodromeRecord.RECORDING) {
            AutodromeRecord.logWake(t.autodrome$id);
            AutodromeOpaque.opens(t);
        }
        if (AutodromeHunt.HUNTS) {
            AutodromeHunt.begins(t);
        }
        if (AutodromeControl.CONTROLS) {
            AutodromeControl.begins(t);
        }
        return t.autodrome$id;
    }

    @ForceInline
    static void tick(Thread t, int epoch) {
        int next = epoch == 0 ? 0 : ~epoch;
        if (t.autodrome$epoch != next) {
            t.autodrome$epoch = next;
            t.autodrome$used = 0;
            t.autodrome$past = null;
            AutodromeLocksets.ticked(t);
        }
    }

    /**
     * Overflows the stack if one of the hooks below might, which have no room for that: see crates/weave, monitors.rs.
     * The variables make a frame of more than a page, because compiled code checks for smaller ones as if they were empty;
     * and it checks only because of the call.
     */
    @DontInline
    static void findRoom() {
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

    /** The object is reachable until here; the JDK's own method for that is woven. */
    @DontInline
    static void keepAlive(Object o) {}

    /** Would an access of the current thread, of the kind of this word, be redundant? */
    @ForceInline
    static boolean isMine(long word) {
        Thread t = Thread.currentThread();
        return AutodromeLocksets.LOCKSETS
                ? AutodromeLocksets.isMine(t, word) : (int) (word >>> 32) == ~t.autodrome$epoch;
    }
}
