import java.util.concurrent.Semaphore;

/**
 * What java.util.concurrent hands over belongs to an object: a hidden method that can reach a semaphore may take or give a permit.
 */
public class Main {
    static int x, y;

    static void give(Semaphore seen, Semaphore unseen) {
        x = 1;
        seen.release();
        y = 1;
        Library.give(unseen);
    }

    static void take(Semaphore seen, Semaphore unseen) {
        Library.take(seen);
        x = 2;
        unseen.acquireUninterruptibly();
        y = 2;
    }

    public static void main(String[] arguments) throws Exception {
        Semaphore seen = new Semaphore(0), unseen = new Semaphore(0);
        Thread giver = new Thread(() -> give(seen, unseen));
        Thread taker = new Thread(() -> take(seen, unseen));
        giver.start();
        taker.start();
        giver.join();
        taker.join();
        System.out.println(x + " " + y);
    }
}

class Library {
    static void take(Semaphore semaphore) {
        semaphore.acquireUninterruptibly();
    }

    static void give(Semaphore semaphore) {
        semaphore.release();
    }
}
