/**
 * Two threads that certainly meet, and only write: the first one hands nothing on until the second one has written the same, at
 * least once afterwards.
 */
public class Main {
    static volatile boolean isOver;

    int number;

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

    void second() throws InterruptedException {
        while (written.length() == 0) { // race: reads StringBuilder
            write();
            Thread.sleep(1);
        }
        write();
        isOver = true;
    }

    void write() {
        number = 2; // race: writes number
        cells[2] = 2; // race: writes []
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
