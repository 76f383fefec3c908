/** The same shape as `linear`, and no int satisfies it: a multiple of two is never odd, whatever overflows. */
public class Main {
    public static void main(String[] args) {
        int x = Integer.parseInt(args[0]);
        if (x * 2 == 41) {
            assert false : "found " + x;
        }
    }
}
