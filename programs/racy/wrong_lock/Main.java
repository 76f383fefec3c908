/** Two locks for one variable. */
public class Main {
    private final Object one = new Object();
    private final StringBuilder two = new StringBuilder();
    private long balance;

    void deposit() {
        synchronized (one) {
            balance += 5; // race: reads writes balance
        }
    }

    void withdraw() {
        synchronized (two) {
            balance -= 5; // race: reads writes balance
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main account = new Main();
        Thread depositor = new Thread(account::deposit);
        Thread withdrawer = new Thread(account::withdraw);
        depositor.start();
        withdrawer.start();
        depositor.join();
        withdrawer.join();
        System.out.println("booked");
    }
}
