/** clone() reads the whole array. */
public class Main {
    private static final int[] ARRAY = new int[10];

    static int[] copy() {
        return ARRAY.clone(); // race: reads []
    }

    static void write() {
        ARRAY[7] = 1; // race: writes []
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(Main::write);
        other.start();
        int length = copy().length;
        other.join();
        System.out.println(length);
    }
}
