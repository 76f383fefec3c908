/** A linear condition of one argument. */
public class Main {
    public static void main(String[] args) {
        int x = Integer.parseInt(args[0]);
        if (x * 3 - 7 == 41 && x > 10) {
            assert false : "found " + x;
        }
    }
}
