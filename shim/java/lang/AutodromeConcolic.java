package java.lang;

/**
 * Shadows: beside each value of woven code the number of the expression that it was computed by, 0 if it depends on no input, and
 * OPAQUE if it does and nobody knows how. The agent has the expressions; this class passes shadows between methods and keeps those
 * of fields and elements.
 *
 * <p>The agent compares each value with what its expression says, and drops a shadow that is not the value's. So a shadow that
 * library code left behind does no harm.
 */
public final class AutodromeConcolic {
    /** Whether shadows are woven: constant. */
    static final boolean ON = AutodromeEngine.SHADOWS;

    private static final int OPAQUE = -1;
    /** Kinds of gaps, as the agent knows them. */
    private static final int DECIDES = 0, LEAVES = 1, LOOKED_AT = 2, COMPARED = 3, CAPTURED = 4;
    /** Operations, as crates/concolic has them. */
    private static final int AND = 7, NEG = 13, EQ = 20, LT = 21, LE = 22;
    /** The field of what a builder of strings holds. */
    private static final int CONTENT = -2;
    private static final int MOST = 16;

    /** Has anything a shadow? From then on for good. */
    private static boolean live;

    private AutodromeConcolic() {}

    /** What is on its way between two methods of a thread. */
    static final class State {
        /** The thread, as its starters number it. */
        final String path;

        int children;
        /** The method that is called, or 0. */
        int called;
        final int[] arguments = new int[MOST];
        /** Are the arguments this method's? */
        boolean takes;
        /** The method that returned a shadow, or 0. */
        int returned;
        int result;
        int last;

        /** The same, as the agent numbers it. */
        final int number;

        State(String path) {
            this.path = path;
            this.number = thread(path);
        }
    }

    /** A lambda's captured values: its method, and their shadows. */
    private static final class Captured {
        final int method;
        final int[] shadows;
        boolean isDoubtful;
        final Captured next;

        Captured(int method, int[] shadows, Captured next) {
            this.method = method;
            this.shadows = shadows;
            this.next = next;
        }
    }

    private static volatile Captured captured;
    private static int strangers;
    /** Only the first `main` is that of the command. */
    private static boolean hasArguments;

    /** Calls each native method once, see AutodromeStart. */
    static void link() {
        operate(0, 0, 0, 0, 0, false);
        unary(0, 0, 0, false);
        decide(0, 0, 0, 0, 0, 0, 0);
        pin(0, 0, 0, 0);
        is(0, 0);
        gap(-1, 0);
        argument(-1, 0, 0);
        property(null, 0, 0);
        ask(0, 0, 0);
        shadowOfLast(0);
        thread(null);
    }

    private static native int operate(int op, long a, long b, int sa, int sb, boolean isLong);

    private static native int unary(int op, long a, int sa, boolean isLong);

    /** A condition of two values; with the operation EQ, LT or LE. */
    private static native void decide(int site, int op, long a, long b, int sa, int sb, int thread);

    private static native void pin(int site, long value, int shadow, int thread);

    /** Is this what the expression says? */
    private static native boolean is(int shadow, long value);

    private static native void gap(int kind, int site);

    private static native int argument(int index, long value, int thread);

    private static native int property(String name, long value, int thread);

    private static native long ask(int input, long value, int thread);

    /** The number of a thread. */
    private static native int thread(String path);

    private static native int shadowOfLast(int thread);

    private static State state() {
        Thread t = Thread.currentThread();
        State s = (State) t.autodrome$shadows;
        if (s == null) {
            s = new State(stranger());
            t.autodrome$shadows = s;
        }
        return s;
    }

    /** A thread that no woven code started: the first is the main one. */
    private static synchronized String stranger() {
        int number = strangers++;
        return number == 0 ? "0" : "x" + number;
    }

    private static State known() {
        return live ? state() : null;
    }

    public static int binary(int a, int b, int sa, int sb, int op) {
        return (sa | sb) == 0 ? 0 : operate(op, a, b, sa, sb, false);
    }

    public static int binary(long a, long b, int sa, int sb, int op) {
        return (sa | sb) == 0 ? 0 : operate(op, a, b, sa, sb, true);
    }

    public static int shift(long a, int b, int sa, int sb, int op) {
        return (sa | sb) == 0 ? 0 : operate(op, a, b, sa, sb, true);
    }

    public static int divide(int a, int b, int sa, int sb, int op, int site) {
        if ((sa | sb) == 0) {
            return 0;
        }
        if (sb != 0) {
            decide(site, EQ, b, 0, sb, 0, state().number);
        }
        return b == 0 ? 0 : operate(op, a, b, sa, sb, false);
    }

    public static int divide(long a, long b, int sa, int sb, int op, int site) {
        if ((sa | sb) == 0) {
            return 0;
        }
        if (sb != 0) {
            decide(site, EQ, b, 0, sb, 0, state().number);
        }
        return b == 0 ? 0 : operate(op, a, b, sa, sb, true);
    }

    public static int unary(int a, int sa, int op) {
        return sa == 0 ? 0 : unary(op, a, sa, false);
    }

    public static int unary(long a, int sa, int op) {
        return sa == 0 ? 0 : unary(op, a, sa, true);
    }

    public static int opaque(int sa, int sb) {
        return (sa | sb) == 0 ? 0 : OPAQUE;
    }

    public static void test(int a, int sa, int comparison, int site) {
        if (sa != 0) {
            choose(a, 0, sa, 0, comparison, site);
        }
    }

    public static void compare(int a, int b, int sa, int sb, int comparison, int site) {
        if ((sa | sb) != 0) {
            choose(a, b, sa, sb, comparison, site);
        }
    }

    /** By the order of the JVM's instructions: equal, not, less, not, greater, not. */
    private static void choose(int a, int b, int sa, int sb, int comparison, int site) {
        int thread = state().number;
        switch (comparison) {
            case 0:
            case 1:
                decide(site, EQ, a, b, sa, sb, thread);
                break;
            case 2:
            case 3:
                decide(site, LT, a, b, sa, sb, thread);
                break;
            default:
                decide(site, LT, b, a, sb, sa, thread);
        }
    }

    public static void same(int sa, int sb, int site) {
        if (sa != 0 && sb != 0) {
            gap(COMPARED, site);
        }
    }

    public static void choose(int value, int shadow, String keys, int site) {
        if (shadow != 0) {
            int thread = state().number;
            for (int at = 0; at < keys.length(); at += 2) {
                int key = keys.charAt(at) << 16 | keys.charAt(at + 1);
                decide(site, EQ, value, key, shadow, 0, thread);
                if (key == value) {
                    return;
                }
            }
        }
    }

    public static int getField(Object o, int field) {
        return live && o != null ? AutodromeShadows.get(o, field) : 0;
    }

    public static void putField(Object o, int shadow, int field) {
        if (live && o != null) {
            AutodromeShadows.put(o, field, shadow);
        }
    }

    public static int getStatic(int field) {
        return live ? AutodromeShadows.get(AutodromeShadows.STATICS, field) : 0;
    }

    public static void putStatic(int shadow, int field) {
        if (live) {
            AutodromeShadows.put(AutodromeShadows.STATICS, field, shadow);
        }
    }

    public static int load(Object array, int index, int si, int site) {
        if (!live || array == null) {
            return 0;
        }
        return within(array, index, si, site) ? AutodromeShadows.get(array, index) : 0;
    }

    public static void store(Object array, int index, int si, int shadow, int site) {
        if (live && array != null && within(array, index, si, site)) {
            AutodromeShadows.put(array, index, shadow);
        }
    }

    /** Is the index in bounds? If it depends on an input, that is a decision, and the program goes on with the index as it is. */
    private static boolean within(Object array, int index, int si, int site) {
        int length = java.lang.reflect.Array.getLength(array);
        if (si != 0) {
            int thread = state().number;
            decide(site, LT, index, 0, si, 0, thread);
            if (index >= 0) {
                decide(site, LT, index, length, si, 0, thread);
            }
            if (index >= 0 && index < length) {
                pin(site, index, si, thread);
            }
        }
        return index >= 0 && index < length;
    }

    public static void size(int length, int shadow, int site) {
        if (shadow != 0) {
            int thread = state().number;
            decide(site, LT, length, 0, shadow, 0, thread);
            if (length >= 0) {
                pin(site, length, shadow, thread);
            }
        }
    }

    public static void more(int s0, int s1, int s2, int s3, int s4, int s5, int s6, int s7) {
        if (live) {
            arguments(state().arguments, 8, s0, s1, s2, s3, s4, s5, s6, s7);
        }
    }

    public static void pass(int s0, int s1, int s2, int s3, int s4, int s5, int s6, int s7, int method) {
        if (live) {
            State s = state();
            if (s.called != 0) {
                // Nobody took what was passed: another method runs, of an initializer or called by the JDK.
                gap(LEAVES, 0);
            }
            int[] a = s.arguments;
            arguments(a, 0, s0, s1, s2, s3, s4, s5, s6, s7);
            int any = s0 | s1 | s2 | s3 | s4 | s5 | s6 | s7;
            for (int place = 8; place < MOST; place++) {
                any |= a[place];
            }
            s.called = any == 0 ? 0 : method;
        }
    }

    private static void arguments(int[] a, int at, int s0, int s1, int s2, int s3, int s4, int s5, int s6, int s7) {
        a[at] = s0;
        a[at + 1] = s1;
        a[at + 2] = s2;
        a[at + 3] = s3;
        a[at + 4] = s4;
        a[at + 5] = s5;
        a[at + 6] = s6;
        a[at + 7] = s7;
    }

    public static int took(int method, int site) {
        State s = known();
        if (s == null) {
            return 0;
        }
        int shadow = s.returned == method ? s.result : 0;
        if (s.returned != 0 && s.returned != method) {
            // A method of the program returned to the JDK.
            gap(LEAVES, site);
        }
        finish(s, site);
        return shadow;
    }

    public static void done(int site) {
        State s = known();
        if (s != null) {
            if (s.returned != 0) {
                gap(LEAVES, site);
            }
            finish(s, site);
        }
    }

    private static void finish(State s, int site) {
        if (s.called != 0) {
            // Nobody took the arguments.
            gap(LEAVES, site);
        }
        clear(s);
    }

    private static void clear(State s) {
        s.called = 0;
        s.returned = 0;
        s.result = 0;
        for (int place = 8; place < MOST; place++) {
            s.arguments[place] = 0;
        }
    }

    public static void enter(int method) {
        State s = known();
        if (s == null) {
            return;
        }
        s.takes = s.called == method;
        if (s.takes) {
            s.called = 0;
            return;
        }
        for (Captured one = captured; one != null; one = one.next) {
            if (one.method == method) {
                if (one.isDoubtful) {
                    gap(CAPTURED, 0);
                } else {
                    s.takes = true;
                    System.arraycopy(one.shadows, 0, s.arguments, 0, one.shadows.length);
                    // What was passed to the interface's method is not here.
                    return;
                }
            }
        }
    }

    public static int take(int value, int place) {
        return taken(value, place);
    }

    public static int take(long value, int place) {
        return taken(value, place);
    }

    private static int taken(long value, int place) {
        State s = known();
        if (s == null || !s.takes || place >= MOST) {
            return 0;
        }
        int shadow = s.arguments[place];
        return shadow == 0 || shadow == OPAQUE || is(shadow, value) ? shadow : 0;
    }

    public static int take(Object value, int place) {
        State s = known();
        if (s == null || !s.takes || place >= MOST) {
            return 0;
        }
        int shadow = s.arguments[place];
        return shadow == 0 || shadow == OPAQUE || isNumber(value, shadow) ? shadow : 0;
    }

    public static int takeOpaque(int place) {
        State s = known();
        return s == null || !s.takes || place >= MOST || s.arguments[place] == 0 ? 0 : OPAQUE;
    }

    /** Does a box, or a string of a number, hold what the expression says? */
    private static boolean isNumber(Object value, int shadow) {
        if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) {
            return is(shadow, ((Number) value).longValue());
        }
        if (value instanceof Character) {
            return is(shadow, (Character) value);
        }
        if (value instanceof Boolean) {
            return is(shadow, (Boolean) value ? 1 : 0);
        }
        return value instanceof String && isDecimal((String) value) && is(shadow, Long.parseLong((String) value));
    }

    /** Is a string what Java writes for a number? */
    private static boolean isDecimal(String text) {
        try {
            return Long.toString(Long.parseLong(text)).equals(text);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    public static void entered() {
        State s = known();
        if (s != null && s.takes) {
            s.takes = false;
            for (int place = 8; place < MOST; place++) {
                s.arguments[place] = 0;
            }
        }
    }

    public static void give(int shadow, int method) {
        State s = known();
        if (s != null) {
            s.returned = shadow == 0 ? 0 : method;
            s.result = shadow;
        }
    }

    public static void caught() {
        State s = known();
        if (s != null) {
            clear(s);
        }
    }

    public static void lost(int shadow, int site) {
        if (shadow != 0) {
            gap(LEAVES, site);
        }
    }

    public static void leaks(int site) {
        if (live && AutodromeShadows.hasContents()) {
            gap(LOOKED_AT, site);
        }
    }

    public static synchronized void capture(
            int s0, int s1, int s2, int s3, int s4, int s5, int s6, int s7, int method) {
        if (!live) {
            return;
        }
        int[] shadows = {s0, s1, s2, s3, s4, s5, s6, s7};
        for (Captured one = captured; one != null; one = one.next) {
            if (one.method == method) {
                one.isDoubtful |= !java.util.Arrays.equals(one.shadows, shadows);
                return;
            }
        }
        if ((s0 | s1 | s2 | s3 | s4 | s5 | s6 | s7) != 0) {
            captured = new Captured(method, shadows, captured);
        }
    }

    public static void arguments(String[] arguments) {
        if (ON && arguments != null && !hasArguments) {
            hasArguments = true;
            State s = state();
            for (int index = 0; index < arguments.length; index++) {
                String text = arguments[index];
                if (text != null && isDecimal(text)) {
                    int shadow = argument(index, Long.parseLong(text), s.number);
                    if (shadow != 0) {
                        live = true;
                        AutodromeShadows.put(arguments, index, shadow);
                    }
                }
            }
        }
    }

    public static int property(Object name) {
        if (!ON || !(name instanceof String) || ((String) name).isEmpty()) {
            return 0;
        }
        String text = System.getProperty((String) name);
        if (text == null || !isDecimal(text)) {
            return 0;
        }
        int shadow = property((String) name, Long.parseLong(text), state().number);
        live |= shadow != 0;
        return shadow;
    }

    public static int equal(Object text, Object other, int s, int so) {
        if ((s | so) == 0 || text == null) {
            return 0;
        }
        if (so != 0 || s == OPAQUE) {
            return OPAQUE;
        }
        if (!(other instanceof String) || !isDecimal((String) other)) {
            // No number is written like that.
            return 0;
        }
        if (!isDecimal((String) text)) {
            return OPAQUE;
        }
        long a = Long.parseLong((String) text);
        long b = Long.parseLong((String) other);
        return operate(EQ, a, b, s, 0, true);
    }

    public static int absolute(int a, int sa, int site) {
        if (sa == 0) {
            return 0;
        }
        decide(site, LT, a, 0, sa, 0, state().number);
        return a < 0 ? unary(NEG, a, sa, false) : sa;
    }

    public static int smaller(int a, int b, int sa, int sb, int site) {
        if ((sa | sb) == 0) {
            return 0;
        }
        decide(site, LE, a, b, sa, sb, state().number);
        return a <= b ? sa : sb;
    }

    public static int larger(int a, int b, int sa, int sb, int site) {
        if ((sa | sb) == 0) {
            return 0;
        }
        decide(site, LE, a, b, sa, sb, state().number);
        return a <= b ? sb : sa;
    }

    public static int appended(Object builder, int shadow) {
        if (shadow != 0 && builder != null) {
            AutodromeShadows.put(builder, CONTENT, OPAQUE);
        }
        return shadow;
    }

    public static int built(Object builder) {
        return live && builder != null ? AutodromeShadows.get(builder, CONTENT) : 0;
    }

    public static void starts(Object thread) {
        if (ON && thread instanceof Thread) {
            Thread child = (Thread) thread;
            State s = state();
            if (child.autodrome$shadows == null) {
                child.autodrome$shadows = new State(s.path + "." + s.children++);
            }
        }
    }

    public static int input(int input, int value) {
        return (int) ask(input, value, state().number);
    }

    public static long input(int input, long value) {
        return ask(input, value, state().number);
    }

    public static int last() {
        int shadow = shadowOfLast(state().number);
        live |= shadow != 0;
        return shadow;
    }
}
