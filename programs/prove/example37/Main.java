/**
 * Eslamimehr and Palsberg 2014, section 3.7. The races on `x` need no input. The one on `y` needs 4 < z, z * z + 5 < x * x, and
 * the order in which `x = 6` comes after `x = 2`.
 */
public class Main {
    static int x;
    static int y;
    static int z;

    public static void main(String[] args) throws Exception {
        z = Integer.parseInt(args[0]);
        Thread one = new Thread(() -> {
            x = 6;
            if (z > 4) {
                y = 5;
            }
        });
        Thread two = new Thread(() -> {
            x = 2;
            if (z * z + 5 < x * x) {
                y = 3;
            }
        });
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
