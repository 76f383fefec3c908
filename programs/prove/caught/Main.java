/** What is thrown is caught; what is computed in floating point is not followed, so nothing is claimed. */
public class Main {
    public static void main(String[] args) {
        int x = Integer.parseInt(args[0]);
        try {
            System.out.println(10 / x);
        } catch (ArithmeticException e) {
            System.out.println("caught");
        }
        double d = x;
        if (d * d < -1.0) {
            throw new IllegalStateException();
        }
    }
}
