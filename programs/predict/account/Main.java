import java.util.HashSet;
import java.util.Set;

/**
 * The Account benchmark of Rajagopalan's thesis, section 4.5, figures 4.6 and 4.7: the main thread waits for the others in a
 * hidden method. Only the updates of the bank's total can collide.
 */
public class Main {
    static int total;

    static class Account extends Thread {
        final int amount;
        int balance;

        Account(int amount) {
            this.amount = amount;
        }

        @Override
        public void run() {
            balance += amount;
            total += amount;
            Library.awaitStarted();
            Library.finish(this);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Account[] accounts = {new Account(100), new Account(200)};
        for (Account account : accounts) {
            account.start();
        }
        // A thread that finishes before start() has returned is ordered before the thread that is started next, and one that starts
        // later by the questions below: real orders of those schedules, but then the race cannot be told.
        Library.started();
        Library.awaitEnd(accounts.length);
        for (int i = 0; i < accounts.length; i++) {
            if (!Library.hasFinished(accounts[i])) {
                i = -1;
                Thread.sleep(10);
            }
        }
        int sum = accounts[0].balance + accounts[1].balance;
        System.out.println(sum + total > 0);
    }
}

/** Knows which threads have finished; nobody sees how. */
class Library {
    private static final Set<Thread> FINISHED = new HashSet<>();
    private static boolean started;

    static synchronized void finish(Thread thread) {
        FINISHED.add(thread);
    }

    // These get no object, so whoever does not see inside knows of no order by them.

    static synchronized void started() {
        started = true;
        Library.class.notifyAll();
    }

    static synchronized void awaitStarted() {
        while (!started) {
            try {
                Library.class.wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static void awaitEnd(int threads) throws InterruptedException {
        while (ended() < threads) {
            Thread.sleep(1);
        }
    }

    private static synchronized int ended() {
        int ended = 0;
        for (Thread thread : FINISHED) {
            ended += thread.getState() == Thread.State.TERMINATED ? 1 : 0;
        }
        return ended;
    }

    static synchronized boolean hasFinished(Thread thread) {
        return FINISHED.contains(thread);
    }
}
