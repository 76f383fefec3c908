package zoo;

/** Objects under construction, where the verifier is strictest. */
class Constructors {
    static int made;

    static class Base {
        int seen;

        Base(Object given) {
            seen = given == null ? -1 : 1;
            hook();
        }

        void hook() {}
    }

    class Inner extends Base {
        int after;
        final Object captured;

        /** The compiler writes this$0 before it calls the superclass. */
        Inner(boolean which) {
            super(which ? new Object() : new StringBuilder(String.valueOf(made)).append(new Object() == null));
            captured = new Object();
            after = seen + 1;
        }

        @Override
        void hook() {
            made += Constructors.this == null ? 100 : 1;
        }
    }

    static class Chained extends Base {
        long value;

        Chained() {
            this(made > 0 ? new long[] {made++, 2} : null);
            value += 5;
        }

        Chained(long[] given) {
            super(given);
            try {
                value = given[1];
            } catch (NullPointerException e) {
                value = -1;
            }
            for (int round = 0; round < 2; round++) {
                value += round;
            }
        }
    }

    static Object anonymous(int captured) {
        int other = captured * 2;
        return new Base(null) {
            int mine = captured;

            @Override
            void hook() {
                made += captured + other;
            }

            @Override
            public String toString() {
                return "anonymous " + mine + " " + other + " " + seen;
            }
        };
    }

    static class Initialised {
        static int order = made;
        static final int[] TABLE = new int[5];
        int early = order++;
        { TABLE[order % 5] = early; }

        static {
            for (int at = 0; at < TABLE.length; at++) {
                TABLE[at] = at * order;
            }
        }
    }

    static void run() {
        Constructors outer = new Constructors();
        Inner one = outer.new Inner(true);
        Inner two = outer.new Inner(false);
        System.out.println(one.after + two.after + " " + made + " " + new Chained().value + " " + new Chained(null).value);
        System.out.println(anonymous(6) + " " + made);
        System.out.println(new Initialised().early + new Initialised().early + " " + Initialised.TABLE[3]);
    }
}
