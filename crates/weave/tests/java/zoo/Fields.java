package zoo;

/** Fields of every type: own, inherited, of other classes, static, volatile, final; and null receivers. */
class Fields {
    static class Base {
        int inherited = 1;
        protected long inheritedLong = 2;
        static int inheritedStatic = 3;
        volatile int inheritedVolatile = 4;
    }

    static class All extends Base implements Cloneable {
        boolean z;
        byte b;
        char c;
        short s;
        int i;
        long l;
        float f;
        double d;
        String text;
        int[] array;
        All next;
        final int fixed = 7;
        volatile boolean vz;
        volatile int vi;
        volatile long vl;
        volatile double vd;
        volatile String vtext;
        static boolean sz;
        static int si;
        static long sl;
        static double sd;
        static Object so;
        static final Object FIXED = new Object();
        static volatile int svi;
        static volatile long svl;

        long copied(long wide) throws CloneNotSupportedException {
            All copy = (All) super.clone();
            copy.i++;
            return wide + copy.i + i + ((All) clone()).l;
        }

        void touch() {
            z = !z;
            b += 1;
            c++;
            s -= 2;
            i = i * 3 + 1;
            l = l * 5 + i;
            f = f / 2 + 1;
            d = d * 1.5 + l;
            text = text + i;
            array = new int[] {i};
            next = this;
            next.next.i += 2;
            vz ^= true;
            vi += 3;
            vl += vi;
            vd += 0.25;
            vtext = text;
            sz = z;
            si += i;
            sl += l;
            sd += d;
            so = text;
            svi += 1;
            svl += 2;
            inherited += 1;
            inheritedLong += inherited;
            inheritedStatic += 1;
            inheritedVolatile += 1;
            super.inherited++;
        }

        public String toString() {
            return z + " " + b + " " + (int) c + " " + s + " " + i + " " + l + " " + f + " " + d + " " + text + " "
                + array[0] + " " + (next == this) + " " + fixed + " " + vz + " " + vi + " " + vl + " " + vd + " " + vtext
                + " " + sz + " " + si + " " + sl + " " + sd + " " + so + " " + svi + " " + svl + " " + inherited + " "
                + inheritedLong + " " + inheritedStatic + " " + inheritedVolatile + " " + (FIXED != null);
        }
    }

    /** Values that stay on the stack across an access. */
    static long stacked(All all) {
        return all.i + (all.l + (all.next.l * (all.l - all.i))) + (long) (all.d + (all.next.d - all.f)) + (all.l = all.l + 1)
            + (all.i = 4);
    }

    static class Outer {
        private int hidden;
        private long hiddenLong;

        class Inner {
            int bump() {
                hidden++;
                hiddenLong += hidden;
                return hidden;
            }
        }
    }

    interface Constants {
        Object FROM_INTERFACE = new Object();
    }

    static class Uses implements Constants {
        boolean there() {
            return FROM_INTERFACE != null && Constants.FROM_INTERFACE == FROM_INTERFACE;
        }
    }

    static All none() {
        return null;
    }

    static void run() {
        All all = new All();
        for (int round = 0; round < 3; round++) {
            all.touch();
        }
        System.out.println(all);
        try {
            System.out.println(all.copied(5L));
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
        System.out.println(stacked(all) + " " + all.l + " " + all.i);
        all.inherited = 9;
        Base base = all;
        base.inheritedLong = base.inherited;
        Base.inheritedStatic = All.inheritedStatic + 1;
        System.out.println(all.inherited + " " + all.inheritedLong + " " + Base.inheritedStatic);
        Outer outer = new Outer();
        Outer.Inner inner = outer.new Inner();
        inner.bump();
        System.out.println(inner.bump() + " " + outer.hiddenLong + " " + new Uses().there());
        All empty = new All();
        Main.fails(() -> System.out.println(none().i));
        Main.fails(() -> none().l = 5);
        Main.fails(() -> none().text = "x");
        Main.fails(() -> System.out.println(empty.next.d));
        Main.fails(() -> empty.next.next.i++);
        Main.fails(() -> empty.next.vl = empty.vl);
        Main.fails(() -> empty.next.vi = 1);
        Main.fails(() -> System.out.println(empty.next.vtext));
        Main.fails(() -> {
            All local = null;
            local.d = 1.0;
        });
    }
}
