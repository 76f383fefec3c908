import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A message needs both halves: a release that nobody acquires and an acquire of what nobody released order nothing. */
public class Main {
    private static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int[] FLAGS = new int[4];
    private static int one;
    private static int two;
    private static int three;
    private static int four;

    static void sendOne() {
        one = 1; // race: writes one
        FLAG.setRelease(FLAGS, 0, 1);
    }

    static int receiveOne() {
        while ((int) FLAG.getOpaque(FLAGS, 0) == 0) {
            Thread.onSpinWait();
        }
        return one; // race: reads one
    }

    static void sendTwo() {
        two = 1; // race: writes two
        FLAG.setOpaque(FLAGS, 1, 1);
    }

    static int receiveTwo() {
        while ((int) FLAG.getAcquire(FLAGS, 1) == 0) {
            Thread.onSpinWait();
        }
        return two; // race: reads two
    }

    static void sendThree() {
        three = 1; // race: writes three
        FLAG.getAndAddAcquire(FLAGS, 2, 1);
    }

    static int receiveThree() {
        while ((int) FLAG.getVolatile(FLAGS, 2) == 0) {
            Thread.onSpinWait();
        }
        return three; // race: reads three
    }

    static void sendFour() {
        four = 1; // race: writes four
        FLAG.setVolatile(FLAGS, 3, 1);
    }

    static int receiveFour() {
        while ((int) FLAG.getAndAddRelease(FLAGS, 3, 0) == 0) {
            Thread.onSpinWait();
        }
        return four; // race: reads four
    }

    static void send() {
        sendOne();
        sendTwo();
        sendThree();
        sendFour();
    }

    public static void main(String[] arguments) throws InterruptedException {
        // What this initializes would order the two.
        FLAG.setRelease(FLAGS, 0, (int) FLAG.getOpaque(FLAGS, 0));
        FLAG.setOpaque(FLAGS, 0, (int) FLAG.getAcquire(FLAGS, 0));
        FLAG.getAndAddAcquire(FLAGS, 0, (int) FLAG.getVolatile(FLAGS, 0));
        FLAG.setVolatile(FLAGS, 0, (int) FLAG.getAndAddRelease(FLAGS, 0, 0));
        Thread sender = new Thread(Main::send);
        sender.start();
        int seen = receiveFour() + receiveThree() + receiveTwo() + receiveOne();
        sender.join();
        System.out.println(seen < 5);
    }
}
