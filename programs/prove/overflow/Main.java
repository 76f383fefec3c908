/** Only an int that overflows gets here. */
public class Main {
    public static void main(String[] args) {
        int x = Integer.parseInt(args[0]);
        if (x > 0 && x + 1000 < 0) {
            assert false;
        }
    }
}
