import java.util.concurrent.Exchanger;

/** A box is still used by the one who has given it away. */
public class Main {
    static final class Box {
        int value;
    }

    private static final Exchanger<Box> EXCHANGER = new Exchanger<>();

    static void give() {
        Box mine = new Box();
        try {
            EXCHANGER.exchange(mine);
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
        mine.value = 1; // race: writes value
    }

    static int take() throws InterruptedException {
        Box given = EXCHANGER.exchange(new Box());
        return given.value; // race: reads value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread giver = new Thread(Main::give);
        giver.start();
        int seen = take();
        giver.join();
        System.out.println(seen < 2);
    }
}
