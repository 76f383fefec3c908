/** Many threads read, one writes, and nothing orders the write after all of the reads. */
public class Main {
    static int limit = 10;

    static void read() {
        if (limit < 0) { // race: reads limit
            throw new AssertionError();
        }
    }

    static void write() {
        limit = 11; // race: writes limit
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] readers = new Thread[4];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = new Thread(Main::read);
            readers[i].start();
        }
        readers[0].join();
        write();
        for (Thread reader : readers) {
            reader.join();
        }
        System.out.println("read");
    }
}
