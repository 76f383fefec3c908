/** Lazy initialization of a value that is the same whoever computes it. */
public class Main {
    int hash;

    int hash() {
        int found = hash;
        if (found == 0) {
            hash = found = 42;
        }
        return found;
    }

    static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main[] shared = new Main[200];
        for (int i = 0; i < shared.length; i++) {
            shared[i] = new Main();
        }
        Runnable look = () -> {
            for (int round = 0; round < 20; round++) {
                for (Main one : shared) {
                    one.hash();
                    one.hash = 0;
                }
                // Long enough for both to be there at once, on a busy machine too.
                pause();
            }
        };
        Thread a = new Thread(look), b = new Thread(look);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println("hashed");
    }
}
