/** Ends while the JVM reports arrays that are gone, and another thread asks for safepoints all the time. */
public class Main {
    static int[][] kept;

    static void touch(int[][] arrays) {
        for (int[] array : arrays) {
            array[0]++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[][] arrays = new int[100_000][];
        for (int i = 0; i < arrays.length; i++) {
            arrays[i] = new int[2];
        }
        kept = arrays;
        touch(arrays);
        Thread other = new Thread(() -> touch(kept));
        other.start();
        other.join();
        Thread asking = new Thread(() -> {
            for (;;) {
                Thread.getAllStackTraces();
            }
        });
        asking.setDaemon(true);
        asking.start();
        arrays = null;
        kept = null;
        System.out.println("ending");
        System.gc();
        if (arguments[0].equals("exit")) {
            System.exit(3);
        }
    }
}
