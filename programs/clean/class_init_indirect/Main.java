import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.function.IntSupplier;

/**
 * Initializers that start by reflection, handles, a method reference, an enum, a default method or a lookup. What they
 * did comes before every use, in the thread that started them and in the one that found it done.
 */
public class Main {
    static class Cell {
        int value;
    }

    static Cell fill() {
        Cell cell = new Cell();
        cell.value = 1;
        return cell;
    }

    static class ByReflectedMethod {
        private static Cell cell = fill();

        static int use() {
            return cell.value;
        }
    }

    static class ByReflectedField {
        static Cell cell = fill();
    }

    static class ByMethodHandle {
        private static Cell cell = fill();

        static int use() {
            return cell.value;
        }
    }

    static class ByVarHandle {
        static Cell cell = fill();
    }

    static class ByReference {
        private static Cell cell = fill();

        static int use() {
            return cell.value;
        }
    }

    static class ByLookup {
        static Cell cell = fill();
    }

    enum ByEnum {
        ONLY;

        private final Cell cell = fill();
    }

    interface WithDefault {
        Cell CELL = fill();

        default int use() {
            return CELL.value;
        }
    }

    static class ByImplementation implements WithDefault {}

    static int useAll() {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            int sum = (int) ByReflectedMethod.class.getDeclaredMethod("use").invoke(null);
            sum += ((Cell) ByReflectedField.class.getDeclaredField("cell").get(null)).value;
            MethodType type = MethodType.methodType(int.class);
            MethodHandle handle = lookup.findStatic(ByMethodHandle.class, "use", type);
            sum += (int) handle.invokeExact();
            VarHandle cell = lookup.findStaticVarHandle(ByVarHandle.class, "cell", Cell.class);
            sum += ((Cell) cell.get()).value;
            IntSupplier reference = ByReference::use;
            sum += reference.getAsInt();
            lookup.ensureInitialized(ByLookup.class);
            sum += ByLookup.cell.value + ByEnum.valueOf("ONLY").cell.value;
            return sum + new ByImplementation().use();
        } catch (Throwable unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] users = new Thread[3];
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
