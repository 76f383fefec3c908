/**
 * A method makes arrays, uses them as its own, and lets others know of them: by a call, by a copy, by an array, by an exception.
 */
public class Main {
    static int[] kept;
    static long[][] rows = new long[1][];
    static char[] caught;

    static class Carrier extends RuntimeException {
        final char[] letters;

        Carrier(char[] letters) {
            this.letters = letters;
        }
    }

    private static void uses(int[] numbers) {
        numbers[0] = 1;
        keeps(numbers);
    }

    private static void keeps(int[] numbers) {
        kept = numbers;
    }

    static void others(double[] parts) {
        kept[1]++; // race: reads writes []
        rows[0][1]++; // race: reads writes []
        caught[1]++; // race: reads writes []
        parts[1]++; // race: reads writes []
    }

    static void own() throws InterruptedException {
        int[] numbers = new int[8];
        long[] row = new long[8];
        double[] parts = new double[8];
        char[] letters = new char[8];
        uses(numbers);
        long[] copy = row;
        rows[0] = copy;
        double[] lent = parts;
        Thread other = new Thread(() -> others(lent));
        try {
            throw new Carrier(letters);
        } catch (Carrier carrier) {
            caught = carrier.letters;
        }
        other.start();
        numbers[1]++; // race: reads writes []
        row[1]++; // race: reads writes []
        letters[1]++; // race: reads writes []
        parts[1]++; // race: reads writes []
        other.join();
    }

    public static void main(String[] arguments) throws InterruptedException {
        own();
        System.out.println("escaped");
    }
}
