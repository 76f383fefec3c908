import java.util.ArrayList;
import java.util.List;

/** Loops over arrays, of all shapes. Each array has its own length, by which the test knows it. */
public class Loops {
    private static int longest = 20;
    private final int[] data = new int[++longest];
    private static int calls;

    Loops() {
        for (int i = 0; i < 10; i++) {
            data[i] = i;
        }
    }

    private static int[] ints() {
        return new int[++longest];
    }

    private static int forward(int[] a) {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += a[i];
        }
        return sum;
    }

    private static void backward(int[] a) {
        for (int i = 15; i > 3; i--) {
            a[i] = i;
        }
    }

    private static int steps(int[] a, int from, int to) {
        int sum = 0;
        for (int i = from; i < to; i += 3) {
            sum += a[i] + a[i + 1];
        }
        return sum;
    }

    private static void stencil(double[] row, double[] above) {
        for (int i = 1; i < row.length - 1; i += 2) {
            row[i] = row[i - 1] + above[i] + row[i + 1] - row[i];
        }
    }

    private static int breaks(int[] a, int[] b, int at) {
        int i;
        for (i = 0; i < a.length; i++) {
            int value = a[i];
            if (i == at) {
                break;
            }
            b[i] = value;
        }
        return i;
    }

    private static int continues(int[] a, int[] b) {
        int sum = 0;
        for (int i = 0; i < a.length; i++) {
            if (i % 3 == 0) {
                continue;
            }
            sum += a[i];
            b[i] = sum;
        }
        return sum;
    }

    private static int returns(int[] a, int wanted) {
        for (int i = 2; i < a.length; i++) {
            if (a[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static int doWhile(int[] a) {
        int i = 4, sum = 0;
        do {
            sum += a[i];
            i++;
        } while (i < 9);
        return sum + i;
    }

    private static int increments(int[] a, int[] b) {
        int i = 0, j = 12;
        while (i < 8) {
            a[i++] = b[--j];
        }
        return i + j;
    }

    private static long each(long[] a) {
        long sum = 0;
        for (long value : a) {
            sum += value;
        }
        return sum;
    }

    private static int nested(int[][] rows) {
        int sum = 0;
        for (int i = 0; i < rows.length; i++) {
            int[] row = rows[i];
            for (int j = i; j < row.length; j++) {
                sum += row[j];
                rows[i][j] = sum;
            }
        }
        return sum;
    }

    private static int tries(int[] a, Object[] values) {
        int caught = 0;
        for (int i = 0; i < values.length; i++) {
            try {
                a[i] = values[i].hashCode();
            } catch (NullPointerException e) {
                caught++;
            }
        }
        try {
            for (int i = 0; i < 5; i++) {
                a[i] += i;
            }
        } finally {
            caught += 100;
        }
        return caught;
    }

    private static double quietCalls(double[] a) {
        double largest = 0;
        for (int i = 0; i < a.length; i++) {
            largest = Math.max(largest, Math.abs(a[i]));
        }
        return largest;
    }

    private static int other(int value) {
        calls++;
        return value;
    }

    private static int loudCalls(int[] a) {
        int sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += other(a[i]);
        }
        return sum;
    }

    private static int changesArray(int[] a, int[] b) {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += a[i];
            a = i % 2 == 0 ? b : a;
        }
        return sum;
    }

    private static int switches(int[] a, int[] b) {
        int sum = 0;
        for (int i = 0; i < 12; i++) {
            switch (a[i] % 4) {
                case 0:
                    sum += b[i];
                    break;
                case 1:
                    sum++;
                    break;
                default:
                    sum += 2;
            }
        }
        return sum;
    }

    private static int innerLast(int[] a) {
        int sum = 0, round = 0;
        while (round < 4) {
            round++;
            for (int i = round; i < 9; i++) {
                sum += a[i];
            }
        }
        return sum;
    }

    private static int labels(int[] a, int[] b) {
        int sum = 0;
        outer:
        for (int i = 0; i < 8; i++) {
            for (int j = 0; j < 12; j++) {
                if (a[j] == i) {
                    continue outer;
                }
                if (b[j] > 10 + i) {
                    break outer;
                }
                sum += j;
            }
            sum += 1000;
        }
        return sum;
    }

    private static int twiceCounted(int[] a) {
        int sum = 0;
        for (int i = 0; i < 15; i++) {
            sum += a[i];
            if (sum % 5 == 0) {
                i++;
            }
        }
        return sum;
    }

    private static int afterCounting(int[] a) {
        int i = 0;
        while (true) {
            int value = a[i];
            i++;
            if (value < 0 || i == 11) {
                break;
            }
            a[i] = value + a[i + 1];
        }
        return i;
    }

    private static int kinds(byte[] b, boolean[] z, char[] c, short[] s, float[] f, Object[] o, String[] t) {
        int sum = 0;
        for (int i = 0; i < 7; i++) {
            b[i] = (byte) i;
            z[i] = i > 3;
            c[i] = (char) (c[i + 1] + 1);
            s[i] += b[i];
            f[i] = s[i] / 2;
            o[i] = t[i];
        }
        for (Object value : o) {
            sum += value instanceof String ? 1 : 0;
        }
        return sum + c[0];
    }

    private int field() {
        int sum = 0;
        for (int i = 0; i < data.length; i++) {
            sum += data[i];
        }
        int[] local = data;
        for (int i = 0; i < local.length; i++) {
            calls += local[i];
        }
        return sum;
    }

    private static synchronized long wide(int[] a, long first, double second) {
        long more = first;
        double most = second;
        for (int i = 0, k = 5; i < 6; i++, k += 2) {
            long doubled = 2L * a[k];
            more += doubled;
            most = a[i] > most ? a[i] : most;
        }
        return more + (long) most;
    }

    private static int nothing(int[] a) {
        int sum = 0;
        for (int i = 9; i < 9; i++) {
            sum += a[i];
        }
        return sum;
    }

    private static int conditional(int[] a, int[] b) {
        int sum = 0;
        for (int i = 0; i < 13; i++) {
            sum += i % 2 == 0 ? a[i] : b[i];
            int at = a[i] > 5 ? i : i + 1;
            b[at] = sum;
        }
        return sum;
    }

    private static int sameWord(int[] a) {
        int last = 0;
        for (int i = 0; i < 9; i++) {
            a[i + 1] = a[i] + 1;
            last = a[i + 1];
        }
        return last;
    }

    /** One element in each round: where the loop asks, and in what it does. */
    private static int oneElement(int[] ends, int[] a, int[] sums, int at) {
        for (int i = 0; i < ends[at + 1]; i++) {
            sums[at] += a[i];
            a[at - 1] = i;
        }
        return sums[at];
    }

    private static int oneElementOrNone(int[] a, int[] b, int from, int to, int at) {
        int i = from;
        while (true) {
            a[at]++;
            if (i >= to) {
                break;
            }
            b[at + 2] += i;
            i += 2;
            if (b[at + 3] > 0) {
                return i;
            }
            a[at + 4] = b[at + 5];
        }
        return -i;
    }

    private static int changedIndex(int[] a, int at) {
        int sum = 0;
        for (int i = 0; i < 5; i++) {
            sum += a[at];
            if (i == 2) {
                at++;
            }
        }
        for (int i = 0, j = at; i < 5; i++) {
            sum += a[j];
            j = i * 2;
        }
        return sum;
    }

    private static int untilZero(int[] a, int at) {
        while (a[at] > 0) {
            a[at]--;
        }
        return a[at];
    }

    public static void main(String[] arguments) {
        List<Object> said = new ArrayList<>();
        said.add(forward(ints()));
        backward(ints());
        said.add(steps(ints(), 2, 13));
        said.add(steps(ints(), 5, 5));
        stencil(new double[++longest], new double[++longest]);
        stencil(new double[++longest], new double[++longest]);
        said.add(breaks(ints(), ints(), 7));
        int[] short1 = ints(), longer = ints();
        said.add(breaks(short1, longer, -1));
        said.add(continues(ints(), ints()) + continues(short1, longer));
        said.add(returns(ints(), 0));
        said.add(returns(ints(), 5));
        said.add(doWhile(ints()));
        said.add(increments(ints(), ints()));
        said.add(each(new long[++longest]));
        said.add(nested(new int[][] {ints(), ints(), ints()}));
        said.add(tries(ints(), new Object[] {"a", null, "b"}));
        said.add(quietCalls(new double[++longest]));
        said.add(loudCalls(ints()));
        said.add(changesArray(ints(), ints()));
        int[] counted = ints();
        for (int i = 0; i < counted.length; i++) {
            counted[i] = i;
        }
        said.add(switches(counted, ints()));
        said.add(innerLast(ints()));
        said.add(labels(counted, ints()));
        said.add(labels(ints(), counted));
        said.add(labels(counted, counted));
        said.add(twiceCounted(counted));
        said.add(afterCounting(counted));
        said.add(afterCounting(ints()));
        said.add(kinds(new byte[++longest], new boolean[++longest], new char[++longest], new short[++longest],
                new float[++longest], new Object[++longest], new String[++longest]));
        said.add(new Loops().field());
        said.add(wide(ints(), 5, 2.5));
        said.add(nothing(ints()));
        said.add(conditional(counted, ints()));
        said.add(sameWord(ints()));
        int[] ends = ints();
        ends[4] = 6;
        said.add(oneElement(ends, ints(), ints(), 3));
        said.add(oneElement(ints(), ints(), ints(), 3));
        int[] marked = ints();
        marked[8] = 1;
        said.add(oneElementOrNone(ints(), ints(), 2, 9, 5));
        said.add(oneElementOrNone(ints(), ints(), 9, 9, 5));
        said.add(oneElementOrNone(ints(), marked, 2, 9, 5));
        said.add(changedIndex(ints(), 7));
        said.add(untilZero(ends, 4));
        said.add(untilZero(ints(), 4));
        said.add(calls);
        System.out.println(said);
    }
}
