/** The sum of the first numbers, by recursion and by formula. */
public class Main {
    static int sum(int n) {
        return n <= 0 ? 0 : n + sum(n - 1);
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        assert sum(n) == n * (n + 1) / 2;
    }
}
