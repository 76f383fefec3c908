/** The largest of three, without and with overflow. */
public class Main {
    static int nondet() {
        return 7;
    }

    static int larger(int a, int b) {
        return a > b ? a : b;
    }

    public static void main(String[] args) {
        int a = nondet();
        int b = nondet();
        int c = nondet();
        int m = larger(larger(a, b), c);
        assert m >= a && m >= b && m >= c;
        assert m == a || m == b || m == c;
    }
}
