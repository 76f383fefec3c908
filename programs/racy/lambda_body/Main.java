import java.util.function.IntUnaryOperator;

/** Both accesses are in lambdas, called through the JDK's interface. */
public class Main {
    private static int last;

    public static void main(String[] arguments) throws InterruptedException {
        IntUnaryOperator keep = value -> last = value; // race: writes last
        Thread one = new Thread(() -> keep.applyAsInt(1));
        Thread two = new Thread(() -> keep.applyAsInt(2));
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(last > 0);
    }
}
