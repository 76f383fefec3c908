/** A recursion whose depth is the input. */
public class Main {
    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        if (n > 6) {
            n = 6;
        }
        assert fib(n) != 5;
    }
}
