/** Two threads use one array, each its own elements: every other one. */
public class Main {
    static void count(int[] counts, byte[] marks, int first) {
        for (int round = 0; round < 50; round++) {
            for (int i = first; i < counts.length; i += 2) {
                counts[i]++;
                marks[i] = (byte) counts[i];
            }
            synchronized (Main.class) {
                Thread.yield();
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        for (int length : new int[] {2, 10, 16, 17, 64, 65, 1000}) {
            int[] counts = new int[length];
            byte[] marks = new byte[length];
            Thread one = new Thread(() -> count(counts, marks, 0));
            Thread two = new Thread(() -> count(counts, marks, 1));
            one.start();
            two.start();
            one.join();
            two.join();
            int sum = 0;
            for (int i = 0; i < length; i++) {
                sum += counts[i] + marks[i];
            }
            System.out.println(sum);
        }
    }
}
