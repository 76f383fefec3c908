/** A divisor that is 0 for one input. */
public class Main {
    public static void main(String[] args) {
        long x = Long.parseLong(args[0]);
        System.out.println(100 / (x - 5000000000L));
    }
}
