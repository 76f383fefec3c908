/** More live arrays than headers have numbers for; then one of the last races, and the others do not. */
public class Main {
    static void touch(int[][] arrays, int from, int to) {
        for (int i = from; i < to; i++) {
            arrays[i][0]++;
        }
    }

    static void race(int[] array) {
        array[1]++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int count = Integer.parseInt(arguments[0]);
        int[][] arrays = new int[count][2];
        touch(arrays, 0, count);
        Thread one = new Thread(() -> {
            touch(arrays, 0, 1000);
            race(arrays[count - 7]);
        });
        Thread two = new Thread(() -> {
            touch(arrays, count - 1000, count);
            race(arrays[count - 7]);
        });
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(arrays[0][0] + arrays[count - 1][0]);
    }
}
