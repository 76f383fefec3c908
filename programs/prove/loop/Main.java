/** How often a loop runs is the input. */
public class Main {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += 3;
        }
        assert sum != 21;
    }
}
