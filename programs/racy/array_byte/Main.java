/** Two threads fill one byte[], and their halves overlap in one element; so do those of a boolean[]. */
public class Main {
    static void fill(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            bytes[i] = 1; // race: writes []
        }
    }

    static void set(boolean[] flags, int from, int to) {
        for (int i = from; i < to; i++) {
            flags[i] = true; // race: writes []
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        byte[] bytes = new byte[1000];
        boolean[] flags = new boolean[20];
        Thread one = new Thread(() -> {
            fill(bytes, 0, 501);
            set(flags, 0, 11);
        });
        Thread two = new Thread(() -> {
            fill(bytes, 500, 1000);
            set(flags, 10, 20);
        });
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(bytes[500] + " " + flags[10]);
    }
}
