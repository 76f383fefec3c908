package zoo;

/** Array elements of every type, and accesses that throw. */
class Elements {
    static boolean[] z = new boolean[4];
    static byte[] b = new byte[4];
    static char[] c = new char[4];
    static short[] s = new short[4];
    static int[] i = new int[4];
    static long[] l = new long[4];
    static float[] f = new float[4];
    static double[] d = new double[4];
    static String[] t = {"a", "b", "c", "d"};
    static long[][] grid = new long[3][3];

    static void fill() {
        for (int at = 0; at < 4; at++) {
            z[at] = at % 2 == 0;
            b[at] = (byte) (at * 100);
            c[at] = (char) (at + 'a');
            s[at] = (short) (at * 20000);
            i[at] = at * at;
            l[at] = (long) at << 40;
            f[at] = at / 3f;
            d[at] = at / 7.0;
            t[at] += t[(at + 1) & 3];
            i[at]++;
            l[at] += i[at];
            d[at] *= d[(at + 1) & 3] + 1;
            b[at] ^= 5;
            z[at] |= b[at] > 0;
        }
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++) {
                grid[row][column] = grid[row][(column + 2) % 3] + row * column + 1;
            }
        }
    }

    static double mixed(int at) {
        return i[at] + l[at] * (f[at] - (d[at] + b[at])) + c[at] / (s[at] + 1.0) + (z[at] ? 1 : 0) + (l[at] = i[at] = 3);
    }

    /** Ranges, by a copy, a clone, and streams: with values of every width below the arguments. */
    static void ranges() throws java.io.IOException {
        long[] copy = l.clone();
        System.arraycopy(l, 1, copy, 0, 3);
        byte[] bytes = new byte[6];
        java.io.InputStream in = new java.io.ByteArrayInputStream(new byte[] {1, 2, 3, 4, 5, 6, 7});
        double read = d[1] + in.read(bytes, 1, 3) + l[1] * in.read(bytes) + in.read(bytes) + in.read(bytes, 0, 1);
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        out.write(bytes, 2, 2);
        out.write(bytes);
        new java.io.CharArrayWriter().write(c);
        System.out.println(read + " " + copy[2] + " " + out.size() + " " + bytes[1] + ((Object[]) t.clone()).length);
        char[] word = {'w', 'o', 'r', 'd'};
        System.out.println(new String(word) + new String(word, 1, 2) + String.valueOf(word) + String.valueOf(word, 2, 2)
            + new String(new byte[] {65, 66, 67}, 1, 2, java.nio.charset.StandardCharsets.US_ASCII).length());
        System.out.println(java.util.Arrays.equals(l, copy) + " " + java.util.Arrays.equals(word, word.clone()) + " "
            + java.util.Arrays.equals((char[]) null, null) + " " + java.util.Arrays.hashCode(word));
        Main.fails(() -> new String((char[]) null));
        Main.fails(() -> System.arraycopy(l, 3, copy, 0, 3));
        Main.fails(() -> System.arraycopy(l, 0, c, 0, 3));
        Main.fails(() -> ((int[]) null).clone());
    }

    /** A loop that can report its accesses at its end. */
    static long[] backwards(long[] from) {
        long[] to = new long[from.length];
        for (int at = from.length - 1; at > 0; at--) {
            to[at - 1] = from[at];
        }
        return to;
    }

    static void run() throws java.io.IOException {
        fill();
        System.out.println(backwards(l)[1]);
        ranges();
        double sum = 0;
        for (int at = 0; at < 4; at++) {
            sum += mixed(at) + grid[at % 3][2];
            System.out.println(z[at] + " " + b[at] + " " + c[at] + " " + s[at] + " " + i[at] + " " + l[at] + " " + f[at] + " "
                + d[at] + " " + t[at]);
        }
        System.out.println(sum);
        int[] nothing = null;
        double[] nothingDouble = null;
        Object[] texts = new String[1];
        Main.fails(() -> System.out.println(nothing[0]));
        Main.fails(() -> nothing[1] = 2);
        Main.fails(() -> nothingDouble[1] = 2);
        Main.fails(() -> System.out.println(i[4]));
        Main.fails(() -> l[-1] = 3);
        Main.fails(() -> texts[0] = Integer.valueOf(1));
        Main.fails(() -> grid[1] = null);
        Main.fails(() -> grid[1][2]++);
    }
}
