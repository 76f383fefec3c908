/** Many waiters, woken together and one by one; each loops, because being woken says nothing. */
public class Main {
    private int tickets;
    private int taken;

    synchronized void take() {
        while (tickets == 0) {
            try {
                wait();
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        }
        tickets--;
        taken++;
    }

    synchronized void give(int count) {
        tickets += count;
        if (count > 1) {
            notifyAll();
        } else {
            notify();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread[] takers = new Thread[20];
        for (int i = 0; i < takers.length; i++) {
            takers[i] = new Thread(main::take);
            takers[i].start();
        }
        for (int i = 0; i < 5; i++) {
            main.give(1);
            main.give(3);
        }
        for (Thread taker : takers) {
            taker.join();
        }
        System.out.println(main.taken);
    }
}
