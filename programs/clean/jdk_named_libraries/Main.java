import com.sun.acme.Shelf;
import javax.acme.Slot;
import jdk.acme.Latch;
import netscape.acme.Turn;
import oracle.acme.Ledger;
import sun.acme.Link;

/**
 * Libraries on the class path in packages that are named like the JDK's: what they synchronize orders the program's
 * threads, and their own fields.
 *
 * Every scenario runs twice, so that the second run finds all classes initialized.
 */
public class Main {
    private static final int TIMES = 20;
    private static int scenarios;
    private static int turns;

    interface Step {
        void run() throws Exception;
    }

    static void check(boolean right) {
        if (!right) {
            throw new AssertionError();
        }
    }

    static Thread thread(Step step) {
        return new Thread(() -> {
            try {
                step.run();
            } catch (Throwable unexpected) {
                unexpected.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        });
    }

    static void pair(Step giver, Step taker) throws InterruptedException {
        Thread two = thread(taker);
        Thread one = thread(giver);
        two.start();
        one.start();
        one.join();
        two.join();
    }

    static void twice(Step scenario) throws Exception {
        scenario.run();
        scenario.run();
        scenarios++;
    }

    static final class OnShelf {
        int value;
    }

    static void shelf() throws Exception {
        Shelf<OnShelf> shelf = new Shelf<>();
        pair(() -> {
            OnShelf note = new OnShelf();
            note.value = 7;
            shelf.put(note);
        }, () -> check(shelf.take().value == 7));
    }

    static final class InSlot {
        int value;
    }

    static void slot() throws Exception {
        Slot<InSlot> slot = new Slot<>();
        pair(() -> {
            InSlot note = new InSlot();
            note.value = 7;
            slot.set(note);
        }, () -> {
            while (slot.get() == null) {
                Thread.sleep(1);
            }
            check(slot.get().value == 7);
        });
    }

    static final class InLedger {
        int value;
    }

    static void ledger() throws Exception {
        Ledger ledger = new Ledger();
        InLedger note = new InLedger();
        Step often = () -> {
            for (int i = 0; i < TIMES; i++) {
                ledger.enter(() -> note.value++);
            }
        };
        pair(often, often);
        check(note.value == 2 * TIMES && ledger.entries() == note.value);
    }

    static final class Linked {
        int value;
    }

    static void link() throws Exception {
        Link<Linked> link = new Link<>();
        pair(() -> {
            Linked note = new Linked();
            note.value = 7;
            check(link.connect(note));
        }, () -> {
            while (link.next() == null) {
                Thread.sleep(1);
            }
            check(((Linked) link.next()).value == 7);
        });
    }

    static final class Behind {
        int value;
    }

    static void latch() throws Exception {
        Latch latch = new Latch();
        Behind note = new Behind();
        pair(() -> {
            note.value = 7;
            latch.open();
        }, () -> {
            while (!latch.isOpen()) {
                Thread.sleep(1);
            }
            check(note.value == 7);
        });
    }

    static final class Taken {
        int value;
    }

    static void turn() throws Exception {
        int turn = ++turns;
        Taken note = new Taken();
        pair(() -> {
            note.value = 7;
            Turn.take(turn);
        }, () -> {
            while (Turn.last() != turn) {
                Thread.sleep(1);
            }
            check(note.value == 7);
        });
    }

    public static void main(String[] arguments) throws Exception {
        twice(Main::shelf);
        twice(Main::slot);
        twice(Main::ledger);
        twice(Main::link);
        twice(Main::latch);
        twice(Main::turn);
        System.out.println(scenarios + " hand-overs");
    }
}
