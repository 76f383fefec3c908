/** Arrays go from one thread to another through a queue with a lock, and back. */
public class Main {
    static final class Queue {
        private final byte[][] slots = new byte[4][];
        private int first;
        private int count;

        synchronized void put(byte[] buffer) throws InterruptedException {
            while (count == slots.length) {
                wait();
            }
            slots[(first + count++) % slots.length] = buffer;
            notifyAll();
        }

        synchronized byte[] take() throws InterruptedException {
            while (count == 0) {
                wait();
            }
            byte[] buffer = slots[first];
            slots[first] = null;
            first = (first + 1) % slots.length;
            count--;
            notifyAll();
            return buffer;
        }
    }

    static void produce(Queue empty, Queue full) {
        try {
            for (int round = 0; round < 300; round++) {
                byte[] buffer = empty.take();
                for (int i = 0; i < buffer.length; i++) {
                    buffer[i] = (byte) (round + i);
                }
                full.put(buffer);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Queue empty = new Queue();
        Queue full = new Queue();
        empty.put(new byte[10]);
        empty.put(new byte[200]);
        empty.put(new byte[3000]);
        Thread producer = new Thread(() -> produce(empty, full));
        producer.start();
        long sum = 0;
        for (int round = 0; round < 300; round++) {
            byte[] buffer = full.take();
            for (byte value : buffer) {
                sum += value;
            }
            buffer[0] = 0;
            empty.put(buffer);
        }
        producer.join();
        System.out.println(sum);
    }
}
