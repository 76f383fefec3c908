/** Elements of the other types: each races once. */
public class Main {
    static void shorts(short[] array) {
        array[0] = 1; // race: writes []
    }

    static void chars(char[] array) {
        array[0] = 'a'; // race: writes []
    }

    static void floats(float[] array) {
        array[0] = 1; // race: writes []
    }

    static void arrays(int[][] array) {
        array[0] = null; // race: writes []
    }

    public static void main(String[] arguments) throws InterruptedException {
        short[] shorts = new short[1];
        char[] chars = new char[70];
        float[] floats = new float[1];
        int[][] arrays = new int[1][1];
        Runnable task = () -> {
            shorts(shorts);
            chars(chars);
            floats(floats);
            arrays(arrays);
        };
        Thread one = new Thread(task);
        Thread two = new Thread(task);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("set");
    }
}
