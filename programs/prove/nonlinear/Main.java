/** A product and a remainder of two arguments. */
public class Main {
    public static void main(String[] args) {
        int x = Integer.parseInt(args[0]);
        int y = Integer.parseInt(args[1]);
        if (x * y == 391 && x > y) {
            if (x % 5 == 3) {
                assert x + y != 40;
            }
        }
    }
}
