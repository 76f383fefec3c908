import java.util.List;
import org.mockito.MockedStatic;
import org.mockito.Mockito;

/** Beside another agent that rewrites loaded classes again: mocks of final classes, static methods, constructors and classes
 * of the JDK. */
public class Main {
    static final class Service {
        private int calls;

        String greet(String name) {
            calls++;
            return "hello " + name + " " + calls;
        }
    }

    static class Tools {
        private static int used;

        static String name() {
            used++;
            return "real";
        }
    }

    private static String mock(int rank) {
        Service mock = Mockito.mock(Service.class);
        Mockito.when(mock.greet("you")).thenReturn("mocked " + rank);
        Service spy = Mockito.spy(new Service());
        String told = mock.greet("you") + ", " + spy.greet("me");
        Mockito.verify(spy, Mockito.times(1)).greet("me");
        try (MockedStatic<Tools> tools = Mockito.mockStatic(Tools.class)) {
            tools.when(Tools::name).thenReturn("static " + rank);
            told += ", " + Tools.name();
        }
        try (var made = Mockito.mockConstruction(Service.class)) {
            told += ", " + new Service().greet("nobody") + made.constructed().size();
        }
        List<?> list = Mockito.mock(List.class);
        Mockito.when(list.size()).thenReturn(100 + rank);
        return told + ", " + list.size() + ", " + new Service().greet("again") + ", " + Tools.name();
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(mock(7));
        System.out.println(Crew.work(3, Main::mock));
    }
}
