/** Reads by many threads at once, a write after all of them have ended; many times, on many objects. */
public class Main {
    private int value = 1;

    public static void main(String[] arguments) throws InterruptedException {
        Main[] all = new Main[100];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Main();
        }
        for (int round = 0; round < 5; round++) {
            Thread[] readers = new Thread[4];
            for (int i = 0; i < readers.length; i++) {
                readers[i] = new Thread(() -> {
                    for (Main one : all) {
                        if (one.value == 0) {
                            throw new AssertionError();
                        }
                    }
                });
                readers[i].start();
            }
            for (Thread reader : readers) {
                reader.join();
            }
            for (Main one : all) {
                one.value++;
            }
        }
        System.out.println(all[0].value);
    }
}
