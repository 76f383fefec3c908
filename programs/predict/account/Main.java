import java.util.HashSet;
import java.util.Set;

/**
 * The Account benchmark of tree-rdit.txt §4.5, figures 4.6 and 4.7: the main thread waits for the others in a hidden method. Only
 * the updates of the bank's total can collide.
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
            Library.finish(this);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Account[] accounts = {new Account(100), new Account(200)};
        for (Account account : accounts) {
            account.start();
        }
        // Long enough for both to have run: who starts later is ordered by the questions below.
        Thread.sleep(500);
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

    static synchronized void finish(Thread thread) {
        FINISHED.add(thread);
    }

    static synchronized boolean hasFinished(Thread thread) {
        return FINISHED.contains(thread);
    }
}
