/** The monitor is taken by synchronized methods, of an object and of a class. */
public class Main {
    static final class Account {
        private int balance;

        synchronized int add(int amount) {
            balance += amount;
            return balance;
        }

        static synchronized void audit() {
            Thread.yield();
        }
    }

    static final Account account = new Account();
    static int x;
    static int y;

    static void first() {
        x = 1;
        account.add(1);
        y = 1;
        Account.audit();
    }

    static void second() throws InterruptedException {
        Thread.sleep(150);
        account.add(2);
        x = 2;
    }

    static void third() throws InterruptedException {
        Thread.sleep(170);
        Account.audit();
        y = 2;
    }

    interface Body {
        void run() throws Exception;
    }

    static Thread start(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        thread.start();
        return thread;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = {start(Main::first), start(Main::second), start(Main::third)};
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
