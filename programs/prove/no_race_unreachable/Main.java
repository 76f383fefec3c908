/** Looks like `race_on_six`, and no int leads to the write. */
public class Main {
    static int y;
    static int seen;

    public static void main(String[] args) throws Exception {
        int z = Integer.parseInt(args[0]);
        Thread one = new Thread(() -> {
            if (z * 2 == 7) {
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
