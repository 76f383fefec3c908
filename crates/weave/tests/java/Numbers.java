import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntBinaryOperator;

/** All arithmetic, conversions, copies of the stack, switches, calls with many arguments, and what constructors write early. */
public class Numbers {
    static int si = 5;
    static long sl = 6;
    int f;
    long g;
    byte b;
    char c;
    short s;
    boolean z;
    double d;

    static int inputInt() {
        return 41;
    }

    static long inputLong() {
        return 42L;
    }

    static boolean inputBoolean() {
        return si > 100;
    }

    static int ints(int a, int b) {
        int r = a + b;
        r = r * 31 + (a - b);
        r = r * 31 + (a * b);
        r = r * 31 + (b == 0 ? 7 : a / b);
        r = r * 31 + (b == 0 ? 9 : a % b);
        r = r * 31 + (a & b);
        r = r * 31 + (a | b);
        r = r * 31 + (a ^ b);
        r = r * 31 + (a << b);
        r = r * 31 + (a >> b);
        r = r * 31 + (a >>> b);
        r = r * 31 + -a + ~b;
        r = r * 31 + (byte) a + (char) b + (short) (a * b);
        r += 1000;
        r -= 40000;
        return r;
    }

    static long longs(long a, long b, int by) {
        long r = a + b;
        r = r * 31 + (a - b);
        r = r * 31 + (a * b);
        r = r * 31 + (b == 0 ? 7 : a / b);
        r = r * 31 + (b == 0 ? 9 : a % b);
        r = r * 31 + (a & b) + (a | b) + (a ^ b);
        r = r * 31 + (a << by) + (a >> by) + (a >>> by);
        r = r * 31 + -a;
        r = r * 31 + (a < b ? 1 : a > b ? 2 : 3) + (int) a;
        return r;
    }

    static double doubles(double a, float b, int i, long l) {
        double r = a + b - i * l;
        r += (float) i + (double) l + (int) a + (long) b + (int) b + (long) a;
        r += a < b ? 1 : a >= 3 ? 2 : b > 1 ? 3 : 4;
        r += -a + -b + a % 3 + b / 2 + (float) a;
        return r;
    }

    static int many(int a, long b, int c, byte d, char e, short f, boolean g, Object h, int i, int j, long k, String l,
            int m, int n, int o, int p, int q, double r, float s) {
        return a + (int) b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + (g ? 7 : 8) + h.hashCode() + i * 9 + j * 10 + (int) k
                + l.length() + m + n + o + p + q + (int) r + (int) s;
    }

    int fields(int v) {
        f = v;
        g = f + v;
        b = (byte) v;
        c = (char) v;
        s = (short) v;
        z = v > 3;
        d = v;
        f++;
        ++f;
        f += g;
        g <<= 2;
        int x = f++;
        long y = ++g;
        si = si++ + ++si;
        sl += si;
        return x + (int) y + b + c + s + (z ? 1 : 0) + (int) d + si + (int) sl;
    }

    static int arrays(int n) {
        int[] a = new int[n];
        long[] l = new long[n];
        byte[] b = {1, 2, 3};
        char[] c = new char[n];
        boolean[] z = new boolean[n];
        Object[] o = new Object[n];
        int[][] m = new int[n][3];
        for (int i = 0; i < n; i++) {
            a[i] = i * i;
            a[i]++;
            a[i] += i;
            l[i] = a[i]++;
            l[i] <<= i;
            c[i] = (char) ('a' + i);
            z[i] = i % 2 == 0;
            o[i] = i;
            m[i][i % 3] = i;
        }
        int r = a.length + b[1] + c[n - 1] + (z[0] ? 1 : 0) + (Integer) o[n - 1] + m[n - 1][(n - 1) % 3];
        int[] copy = a.clone();
        Arrays.sort(copy);
        try {
            a[n] = 3;
        } catch (ArrayIndexOutOfBoundsException e) {
            r += 1000;
        } finally {
            r++;
        }
        try {
            r += (n - n) / (n - n);
        } catch (ArithmeticException e) {
            r += 2000;
        }
        return r + copy[n - 1] + (int) l[n - 1];
    }

    static int switches(int v) {
        int r = 0;
        switch (v) {
            case 0: r = 5;
            case 1: r += 6; break;
            case 2: r = 7; break;
            default: r = 8;
        }
        switch (v) {
            case -2000000000: return 1;
            case 7: return r + 2;
            case 0x10041: return r + 3;
            case Integer.MAX_VALUE: return r + 4;
            default:
        }
        switch (String.valueOf(v)) {
            case "3": return r + 30;
            case "4": return r + 40;
            default: return r;
        }
    }

    static long fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static String strings(int v, long w) {
        Integer box = v;
        Long big = w;
        Character letter = (char) (65 + v);
        Boolean truth = v > 2;
        int back = box + letter;
        long more = big;
        String s = "v=" + v + " w=" + w + " " + box + big + letter + truth;
        StringBuilder b = new StringBuilder().append(v).append(w).append('x').append(truth);
        b.append(back);
        return s + b + s.length() + s.charAt(2) + back + more + Integer.parseInt("" + v) + s.equals("v=1") + Math.abs(-v)
                + Math.min(v, 3) + Math.max(v, 3) + Integer.toString(v).equals("4") + Long.parseLong("12");
    }

    static class Base {
        Base(int v) {
            seen(v);
        }

        void seen(int v) {}
    }

    static int captured(int v, long w) {
        int[] out = new int[1];
        new Base(v) {
            @Override
            void seen(int x) {
                out[0] = x + v + (int) w;
            }
        };
        Runnable r = () -> out[0] += v * 2 + (int) w;
        r.run();
        IntBinaryOperator op = (a, b) -> a * b + v;
        List<Integer> list = new ArrayList<>(List.of(3, 1, 2));
        list.sort((a, b) -> b - a);
        return out[0] + op.applyAsInt(v, 3) + list.get(0) + new Early(v, w, v > 3 ? null : "x").sum();
    }

    static class Early extends Base {
        final int v;
        final long w;
        final Object o;

        Early(int v, long w, Object o) {
            super(v > 5 ? v : -v);
            this.v = v;
            this.w = w;
            this.o = o;
        }

        int sum() {
            return v + (int) w + (o == null ? 1 : 2);
        }
    }

    synchronized int locked(int v) throws Exception {
        synchronized (Numbers.class) {
            if (v > 3) {
                throw new Exception("v " + v);
            }
            return v;
        }
    }

    public static void main(String[] args) throws Exception {
        int[] odd = {0, 1, -1, 3, 7, 31, 33, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x10041};
        for (int a : odd) {
            for (int b : odd) {
                System.out.print(ints(a, b) + " " + longs(a * 3000000000L, b, b) + " " + doubles(a, b, b, a) + " ");
            }
            System.out.println(switches(a) + " " + new Numbers().fields(a) + " " + strings(a, a * 5L) + " " + captured(a, b(a)));
        }
        System.out.println(arrays(4) + " " + fib(12) + " " + many(1, 2, 3, (byte) 4, 'e', (short) 6, true, 8, 9, 10, 11, "l", 13, 14,
                15, 16, 17, 18.5, 19.5f));
        try {
            System.out.println(new Numbers().locked(1));
            System.out.println(new Numbers().locked(4));
        } catch (Exception e) {
            System.out.println(e.getMessage());
        }
        System.out.println("inputs " + inputInt() + " " + inputLong() + " " + (inputBoolean() || true));
        System.out.println("done");
    }

    static long b(int a) {
        return a;
    }
}
