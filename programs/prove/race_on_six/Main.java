/** The first thread writes `y` only for one input; the second one always reads it. */
public class Main {
    static int y;
    static int seen;

    public static void main(String[] args) throws Exception {
        int z = Integer.parseInt(args[0]);
        Thread one = new Thread(() -> {
            if (z * 7 == 42) {
                y = 5;
            }
        });
        Thread two = new Thread(() -> seen = y);
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
