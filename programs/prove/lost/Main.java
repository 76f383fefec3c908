import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

/**
 * Forty ways to a failure that needs 77, most of them through code of the JDK that is not followed: none may be claimed to be
 * impossible.
 */
public class Main {
    static int SINK;
    interface Shape { int area(); }
    record Square(int side) implements Shape { public int area() { return side * side; } }
    static class Box<T extends Comparable<T>> implements Comparable<Box<T>> { T t; Box(T t) { this.t = t; } public int compareTo(Box<T> o) { return t.compareTo(o.t); } }
    static class Init { static int v; static { v = helper(3); } static int helper(int a) { return a; } static int f(int x) { return x + v; } }
    static class Base { int x; Base(int x) { set(x); } void set(int x) { this.x = x; } }
    static class Derived extends Base { Derived(int x) { super(x); } @Override void set(int x) { super.set(x - 5); } }
    static int nine(int a, int b, int c, int d, int e, int f, int g, int h, int i, long j) { return i + (int) j; }
    static int vararg(int... a) { return a[a.length - 1]; }
    static double half(double d) { return d / 2; }

    static boolean bad(int k, int x) throws Exception {
        switch (k) {
            case 0: { List<Integer> l = new ArrayList<>(); l.add(x); return l.get(0) == 77; }
            case 1: return Objects.equals(x, 77);
            case 2: return Integer.compare(x, 77) == 0;
            case 3: { Map<Integer, String> m = new HashMap<>(); m.put(77, "a"); return m.containsKey(x); }
            case 4: return String.format("%d", x).equals("77");
            case 5: { AtomicInteger a = new AtomicInteger(x); return a.get() == 77; }
            case 6: return Optional.of(x).map(v -> v + 1).get() == 78;
            case 7: { IntBinaryOperator op = (a, b) -> a - b; return op.applyAsInt(x, 70) == 7; }
            case 8: { Supplier<Integer> s = () -> x; return s.get() == 77; }
            case 9: { int[] a = {x, 5}; Arrays.sort(a); return a[1] == 77; }
            case 10: { int[] a = {x}; int[] b = a.clone(); return b[0] == 77; }
            case 11: { int[] a = {x}; int[] b = new int[1]; System.arraycopy(a, 0, b, 0, 1); return b[0] == 77; }
            case 12: return new Box<>(x).compareTo(new Box<>(77)) == 0;
            case 13: return Init.f(x) == 80;
            case 14: return new Derived(x).x == 72;
            case 15: return nine(1, 2, 3, 4, 5, 6, 7, 8, x, x) == 154;
            case 16: return vararg(1, 2, x) == 77;
            case 17: return half(x) == 38.5;
            case 18: { StringBuilder b = new StringBuilder(); b.append(x); return b.toString().equals("77"); }
            case 19: { String s = "v" + x; return s.equals("v77"); }
            case 20: return Integer.toHexString(x).length() == 2 && x == 77;
            case 21: return new Square(x).area() == 5929 && x > 0;
            case 22: return new Square(x).equals(new Square(77));
            case 23: { ExecutorService e = Executors.newSingleThreadExecutor(); try { return e.submit(() -> x * 2).get() == 154; } finally { e.shutdown(); } }
            case 24: { BlockingQueue<Integer> q = new LinkedBlockingQueue<>(); q.add(x); return q.take() == 77; }
            case 25: { long l = x; l <<= 33; return l >>> 33 == 77; }
            case 26: { int[][] m = new int[3][3]; m[1][2] = x; return m[1][2] == 77; }
            case 27: { try { thrower(x); return false; } catch (IllegalStateException e) { return e.getMessage().equals("77"); } }
            case 28: { Integer a = x; Integer b = 77; return a.equals(b); }
            case 29: { Iterator<Integer> i = List.of(x).iterator(); return i.next() == 77; }
            case 30: { char c = (char) x; return Character.isLetter(c) && c == 'M'; }
            case 31: { Comparator<Integer> c = (a, b) -> a - b; return c.reversed().compare(x, 77) == 0; }
            case 32: { ThreadLocal<Integer> t = new ThreadLocal<>(); t.set(x); return t.get() == 77; }
            case 33: { SINK = x; return sink() == 77; }
            case 34: { boolean z = x == 77; boolean[] f = {false, z}; return f[1] ^ false; }
            case 35: { byte[] b = {(byte) x}; return new String(b, "US-ASCII").equals("M"); }
            case 36: { float f = x; return (int) f == 77; }
            case 37: { Object o = x; return o instanceof Integer i && i == 77; }
            case 38: { int y = 0; for (int i = 0; i < x && i < 100; i++) y++; return y == 77; }
            case 39: { return switch (x % 100) { case 77 -> x < 100 && x > 0; default -> false; }; }
            default: return false;
        }
    }
    static int sink() { return SINK; }
    static void thrower(int x) { if (x > 50) throw new IllegalStateException("" + x); }

    public static void main(String[] args) throws Exception {
        int k = Integer.parseInt(args[0]);
        int x = Integer.parseInt(args[1]);
        assert !bad(k, x) : "bad " + k;
    }
}
