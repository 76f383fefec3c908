/** Two threads count in the same element of an int[]. */
public class Main {
    static void count(int[] counts) {
        counts[3]++; // race: reads writes []
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] counts = new int[8];
        Thread one = new Thread(() -> count(counts));
        Thread two = new Thread(() -> count(counts));
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("counted");
    }
}
