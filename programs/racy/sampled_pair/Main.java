/**
 * Two threads that certainly meet: the first one writes, and hands nothing on until the second one has read all of it, at least
 * once after the last write.
 */
public class Main {
    static int number;

    static volatile boolean isOver;

    final long[] cells = new long[4];

    /** Says that all is written, by a race too: nothing may order the two threads. */
    final StringBuilder written = new StringBuilder();

    void first() {
        number = 1; // race: writes number
        cells[2] = 1; // race: writes []
        written.append('!'); // race: writes StringBuilder reads StringBuilder
        while (!isOver) {
            Thread.yield();
        }
    }

    long second() throws InterruptedException {
        long sum = 0;
        while (written.length() == 0) { // race: reads StringBuilder
            sum += all();
            Thread.sleep(1);
        }
        sum += all();
        isOver = true;
        return sum;
    }

    long all() {
        return number + cells[2]; // race: reads number reads []
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread first = new Thread(main::first);
        Thread second = new Thread(() -> {
            try {
                main.second();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("met");
    }
}
