/**
 * What an initializer did comes before every use of its class, whatever started it: a static method, a static field, an
 * object, a subclass, a name. Each class is used by two threads, and only the JVM's own lock orders them.
 */
public class Main {
    static class Cell {
        int value;
        String name = "cell";
    }

    static class ByMethod {
        private static Cell cell = fill();

        static int use() {
            return cell.value + cell.name.length();
        }
    }

    static class ByField {
        static Cell cell = fill();
    }

    static class ByConstant {
        static final Cell CELL = fill();
    }

    static class ByObject {
        private static Cell cell = fill();

        int use() {
            return cell.value;
        }
    }

    static class Base {
        static Cell cell = fill();
    }

    static class BySubclass extends Base {
        int use() {
            return cell.value;
        }
    }

    public static class ByName {
        private static Cell cell = fill();

        public int use() {
            return cell.value;
        }
    }

    interface ByInterface {
        Cell CELL = fill();

        static int use() {
            return CELL.value;
        }
    }

    static Cell fill() {
        Cell cell = new Cell();
        cell.value = 5;
        return cell;
    }

    static int useAll() {
        int sum = ByMethod.use() + ByField.cell.value + ByConstant.CELL.value + new ByObject().use();
        sum += new BySubclass().use() + ByInterface.use() + ByInterface.CELL.value + BySubclass.cell.value;
        try {
            ByName named = (ByName) Class.forName("Main$ByName").getConstructor().newInstance();
            return sum + named.use();
        } catch (ReflectiveOperationException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] users = new Thread[4];
        for (int i = 0; i < users.length; i++) {
            users[i] = new Thread(Main::useAll);
        }
        for (Thread user : users) {
            user.start();
        }
        for (Thread user : users) {
            user.join();
        }
        System.out.println(useAll());
    }
}
