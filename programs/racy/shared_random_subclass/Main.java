import java.util.Random;

/** A Random is safe for threads; what a subclass adds to it is not. */
public class Main {
    static final class Dice extends Random {
        private static final long serialVersionUID = 1;
        private int rolls;

        @Override
        protected int next(int bits) {
            rolls++; // race: reads writes rolls
            return super.next(bits);
        }
    }

    private static final Dice DICE = new Dice();

    static int roll() {
        return DICE.nextInt(6);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(Main::roll);
        other.start();
        roll();
        other.join();
        System.out.println(DICE.rolls > 0);
    }
}
