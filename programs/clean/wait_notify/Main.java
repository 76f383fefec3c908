/** A one-place buffer with wait and notify; one waiter is interrupted and reads what its interrupter wrote. */
public class Main {
    private Object place;
    private int moved;
    private String reason;

    synchronized void put(Object value) throws InterruptedException {
        while (place != null) {
            wait();
        }
        place = value;
        notifyAll();
    }

    synchronized Object take() throws InterruptedException {
        while (place == null) {
            wait(1000);
        }
        Object value = place;
        place = null;
        moved++;
        notifyAll();
        return value;
    }

    void untilInterrupted() {
        synchronized (this) {
            try {
                while (true) {
                    wait();
                }
            } catch (InterruptedException expected) {
                moved += reason.length();
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main buffer = new Main();
        Thread taker = new Thread(() -> {
            try {
                for (int i = 0; i < 200; i++) {
                    buffer.take();
                }
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        });
        Thread waiter = new Thread(buffer::untilInterrupted);
        taker.start();
        waiter.start();
        for (int i = 0; i < 200; i++) {
            buffer.put(i);
        }
        taker.join();
        synchronized (buffer) {
            buffer.reason = "done";
        }
        waiter.interrupt();
        waiter.join();
        System.out.println(buffer.moved);
    }
}
