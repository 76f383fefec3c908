/** So many places of a loop read an array that the run of a later write must take the room of one of theirs. */
public class Main {
    private static final int LENGTH = 1000;

    static int readAndWrite(int[] cells) {
        int sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i]
                    + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i]
                    + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i]
                    + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i]
                    + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i]
                    + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i]
                    + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i]
                    + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i] + cells[i];
        }
        for (int i = 100; i < LENGTH; i++) {
            cells[i] = i; // race: writes []
        }
        return sum;
    }

    static int last(int[] cells) {
        return cells[LENGTH - 1]; // race: reads []
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] cells = new int[LENGTH];
        Thread one = new Thread(() -> readAndWrite(cells));
        Thread two = new Thread(() -> last(cells));
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
