import java.util.concurrent.atomic.AtomicReference;

/** A constructor writes fields before it shows its object to another thread, and after; the other thread uses all of them. */
public class Main {
    private static final AtomicReference<Main> SHOWN = new AtomicReference<>();
    private static final AtomicReference<Main> LATER = new AtomicReference<>();
    private int before;
    private long wide;
    private int between;
    private int after;

    Main(int number, Main twin) {
        before = number + 1; // race: writes before
        wide = 2L * number; // race: writes wide
        if (twin == null) {
            SHOWN.setOpaque(this);
        }
        between = 3; // race: writes between
        LATER.setOpaque(this);
        after = 4; // race: writes after
    }

    static long use() {
        Main shown;
        while ((shown = SHOWN.getOpaque()) == null || LATER.getOpaque() == null) {
            Thread.onSpinWait();
        }
        long sum = shown.before; // race: reads before
        sum += shown.wide; // race: reads wide
        sum += shown.between; // race: reads between
        return sum + shown.after; // race: reads after
    }

    public static void main(String[] arguments) throws InterruptedException {
        // What this initializes would order the two.
        new AtomicReference<Main>().setOpaque(LATER.getOpaque());
        Thread other = new Thread(Main::use);
        other.start();
        Main made = new Main(5, null);
        other.join();
        System.out.println(made.before + made.wide + made.between + made.after);
    }
}
