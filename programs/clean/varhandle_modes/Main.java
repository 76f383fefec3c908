import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** A message by each access mode that releases, received by each that acquires. */
public class Main {
    private static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int[] FLAGS = new int[121];
    private static final int[] DATA = new int[121];

    private static final IntConsumer[] SENDS = {
        i -> FLAG.setVolatile(FLAGS, i, 1),
        i -> FLAG.setRelease(FLAGS, i, 1),
        i -> FLAG.compareAndSet(FLAGS, i, 0, 1),
        i -> FLAG.compareAndExchange(FLAGS, i, 0, 1),
        i -> FLAG.compareAndExchangeRelease(FLAGS, i, 0, 1),
        i -> {
            while (!FLAG.weakCompareAndSet(FLAGS, i, 0, 1)) {
                Thread.onSpinWait();
            }
        },
        i -> {
            while (!FLAG.weakCompareAndSetRelease(FLAGS, i, 0, 1)) {
                Thread.onSpinWait();
            }
        },
        i -> FLAG.getAndSetRelease(FLAGS, i, 1),
        i -> FLAG.getAndAdd(FLAGS, i, 1),
        i -> FLAG.getAndAddRelease(FLAGS, i, 1),
        i -> FLAG.getAndBitwiseOrRelease(FLAGS, i, 1),
    };

    private static final IntPredicate[] RECEIVES = {
        i -> (int) FLAG.getVolatile(FLAGS, i) == 1,
        i -> (int) FLAG.getAcquire(FLAGS, i) == 1,
        i -> FLAG.compareAndSet(FLAGS, i, 1, 2),
        i -> (int) FLAG.compareAndExchange(FLAGS, i, 1, 2) == 1,
        i -> (int) FLAG.compareAndExchangeAcquire(FLAGS, i, 1, 2) == 1,
        i -> FLAG.weakCompareAndSet(FLAGS, i, 1, 2),
        i -> FLAG.weakCompareAndSetAcquire(FLAGS, i, 1, 2),
        i -> (int) FLAG.getAndAdd(FLAGS, i, 0) == 1,
        i -> (int) FLAG.getAndAddAcquire(FLAGS, i, 0) == 1,
        i -> (int) FLAG.getAndBitwiseAndAcquire(FLAGS, i, 3) == 1,
        i -> (int) FLAG.getAndBitwiseXor(FLAGS, i, 0) == 1,
    };

    static void send() {
        for (int i = 0; i < FLAGS.length; i++) {
            DATA[i] = i;
            SENDS[i % SENDS.length].accept(i);
        }
    }

    static int receive() {
        int sum = 0;
        for (int i = 0; i < FLAGS.length; i++) {
            while (!RECEIVES[i / SENDS.length].test(i)) {
                Thread.onSpinWait();
            }
            sum += DATA[i];
        }
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread sender = new Thread(Main::send);
        sender.start();
        int sum = receive();
        sender.join();
        System.out.println(sum);
    }
}
