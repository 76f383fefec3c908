import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Elements of a plain array as messages, each for itself: release and acquire, volatile, compare and set. */
public class Main {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final Object[] PLACES = new Object[30];

    static void send() {
        for (int i = 0; i < PLACES.length; i++) {
            int[] letter = new int[1];
            letter[0] = i;
            switch (i % 3) {
                case 0 -> ELEMENT.setRelease(PLACES, i, letter);
                case 1 -> ELEMENT.setVolatile(PLACES, i, letter);
                default -> ELEMENT.compareAndSet(PLACES, i, null, letter);
            }
        }
    }

    static int receive() {
        int sum = 0;
        for (int i = 0; i < PLACES.length; i++) {
            int[] letter;
            while ((letter = (int[]) ELEMENT.getAcquire(PLACES, i)) == null) {
                Thread.onSpinWait();
            }
            sum += letter[0];
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
