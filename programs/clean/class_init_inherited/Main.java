/**
 * Before a class the classes are initialized that it extends, and the interfaces that it implements if they have default
 * methods. Whoever uses the class comes after that, though the class itself has no initializer, and names none of theirs.
 */
public class Main {
    private static final int USERS = 4;
    private static final Cell[] CELLS = new Cell[10];

    static {
        for (int i = 0; i < CELLS.length; i++) {
            CELLS[i] = new Cell();
        }
    }

    static class Cell {
        int value;

        static int fill(int place) {
            CELLS[place].value = place;
            return place;
        }

        static int read(int place) {
            return CELLS[place].value;
        }
    }

    interface Named {
        int PLACE = Cell.fill(1);

        default String name() {
            return "named";
        }
    }

    static class Implements implements Named {}

    static class ExtendsOne extends Implements {}

    static class Base {
        static final int PLACE = Cell.fill(2);
    }

    static class ByStaticMethod extends Base {
        static int use() {
            return Cell.read(2);
        }
    }

    static class OtherBase {
        static {
            Cell.fill(3);
        }
    }

    interface Sized {
        int PLACE = Cell.fill(4);

        default int size() {
            return 1;
        }
    }

    interface Weighed extends Sized {
        int OTHER = Cell.fill(5);

        default int weight() {
            return Cell.read(5);
        }
    }

    static class OfThree extends OtherBase implements Sized, Weighed {
        static int use() {
            return Cell.read(3) + Cell.read(4) + Cell.read(5);
        }
    }

    /** Its initializer reads what the one of the class that it extends has written, perhaps in another thread. */
    static class First extends OtherBase {
        static final int SUM = Cell.read(3) + Cell.fill(6);

        static int use() {
            return Cell.read(6) + Cell.read(3);
        }
    }

    static class Second extends OtherBase {
        static final int SUM = Cell.read(3) + Cell.fill(7);

        static int use() {
            return Cell.read(7) + Cell.read(3);
        }
    }

    enum Constant {
        ONLY {
            @Override
            int use() {
                return Cell.read(8);
            }
        };

        static {
            Cell.fill(8);
        }

        abstract int use();
    }

    interface Kept {
        int PLACE = Cell.fill(9);

        default int kept() {
            return Cell.read(9);
        }
    }

    record Keeps(int one) implements Kept {
        static int use() {
            return Cell.read(9);
        }
    }

    interface Use {
        int by(int user);
    }

    static void all(Use use) throws InterruptedException {
        Thread[] users = new Thread[USERS];
        for (int i = 0; i < USERS; i++) {
            int user = i;
            users[i] = new Thread(() -> use.by(user));
        }
        for (Thread user : users) {
            user.start();
        }
        for (Thread user : users) {
            user.join();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        all(user -> {
            new ExtendsOne();
            return Cell.read(1);
        });
        all(user -> ByStaticMethod.use());
        all(user -> user % 2 == 0 ? First.use() : Second.use());
        all(user -> OfThree.use());
        all(user -> Constant.ONLY.use());
        all(user -> user % 2 == 0 ? Keeps.use() : new Keeps(user).kept());
        System.out.println("initialized");
    }
}
