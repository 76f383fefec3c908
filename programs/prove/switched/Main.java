/** A dense and a sparse switch, one behind the other. */
public class Main {
    static int first(int x) {
        switch (x & 7) {
            case 0: return 1;
            case 1: return 5;
            case 5: return 9;
            default: return 2;
        }
    }

    public static void main(String[] args) {
        int x = Integer.parseInt(args[0]);
        int y = first(x);
        if (y == 9) {
            switch (x) {
                case -70000: return;
                case 13: assert false; return;
                case 1000000: return;
                default:
            }
        }
    }
}
